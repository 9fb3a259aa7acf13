/**
 * The embedded store: one file, no server, the default.
 * Start with {@link dev.headgate.sqlite.SqliteBackend}; its SQL is in the folders {@code statement}, {@code session} and
 * {@code migration}.
 * Decides nothing about jobs: it runs transactions over its tables.
 */
@NullMarked
package dev.headgate.sqlite;

import org.jspecify.annotations.NullMarked;
