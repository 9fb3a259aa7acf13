/**
 * PostgreSQL on a data source of the program.
 * Start with {@link dev.headgate.store.postgres.PostgresStore}.
 */
@NullMarked
package dev.headgate.store.postgres;

import org.jspecify.annotations.NullMarked;
