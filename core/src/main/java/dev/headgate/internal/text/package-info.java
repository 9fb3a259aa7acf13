/**
 * Rules for names and for text from outside.
 * Start with {@link dev.headgate.internal.text.Names}.
 */
@NullMarked
package dev.headgate.internal.text;

import org.jspecify.annotations.NullMarked;
