/**
 * Small programs that run as they are and show one thing each, by the public API only, the way a user would.
 * Start with {@link dev.headgate.examples.HelloHeadgate}; each takes a store URL as its only argument.
 * The documentation takes its code from here, between {@code docs:begin} and {@code docs:end}.
 */
@NullMarked
package dev.headgate.examples;

import org.jspecify.annotations.NullMarked;
