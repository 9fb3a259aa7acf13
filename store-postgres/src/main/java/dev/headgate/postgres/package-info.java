/**
 * The store for many machines: PostgreSQL keeps the jobs and the clock.
 * Start with {@link dev.headgate.postgres.PostgresBackend}; its SQL is in the folders {@code statement}, {@code session}
 * and {@code migration}.
 * Decides nothing about jobs: it runs transactions over its tables.
 */
@NullMarked
package dev.headgate.postgres;

import org.jspecify.annotations.NullMarked;
