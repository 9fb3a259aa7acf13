/**
 * The little JDBC that both SQL stores share: named parameters, row mapping, transactions.
 * A store starts with {@link dev.headgate.jdbc.Dialect}.
 * Holds no SQL of its own: statements are files beside the store that runs them.
 */
@NullMarked
package dev.headgate.jdbc;

import org.jspecify.annotations.NullMarked;
