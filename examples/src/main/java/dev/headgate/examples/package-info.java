/**
 * Small programs that run as they are and show one thing each.
 * They use the public API only, the way a user would.
 */
@NullMarked
package dev.headgate.examples;

import org.jspecify.annotations.NullMarked;
