/** The HTTP API measured: {@code ./check bench http}. */
@NullMarked
package dev.headgate.benchmarks.http;

import org.jspecify.annotations.NullMarked;
