/**
 * What a program gives to Headgate to work in its own JDBC transaction.
 * Start with {@link dev.headgate.store.jdbc.JdbcTransaction}.
 */
@NullMarked
package dev.headgate.store.jdbc;

import org.jspecify.annotations.NullMarked;
