/**
 * Calls to a provider that counts them when they arrive: how many it refuses, and how much of what it allows is used. {@link
 * dev.headgate.benchmarks.provider.ProviderBench} goes through the cells, {@code StrictProvider} is the judge, and each {@code Caller} is
 * one way to keep a limit: Headgate's gates, or a limiter inside the handlers of another queue.
 */
@NullMarked
package dev.headgate.benchmarks.provider;

import org.jspecify.annotations.NullMarked;
