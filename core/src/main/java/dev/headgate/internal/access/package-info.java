/** How our own modules reach the store behind a {@link dev.headgate.Headgate}. */
@NullMarked
package dev.headgate.internal.access;

import org.jspecify.annotations.NullMarked;
