/**
 * The little JDBC that both SQL stores share: named parameters, row mapping, transactions.
 * It holds no SQL of its own. Statements live as files beside the store that runs them.
 */
@NullMarked
package dev.headgate.jdbc;

import org.jspecify.annotations.NullMarked;
