/** Jetty, which carries the requests: the only package that knows it. */
@NullMarked
package dev.headgate.server.jetty;

import org.jspecify.annotations.NullMarked;
