package dev.headgate.cli.client;

import org.jspecify.annotations.Nullable;

/**
 * A job that the played server gives out.
 *
 * @param payload JSON
 * @param startWithin the milliseconds in which it must reach its handler; absent if it may take any time
 */
record PlayedJob(long id, String payload, @Nullable Integer startWithin) {}
