/**
 * Reads for people: status, lists, explain, backlog. Changes nothing.
 * Start with {@link dev.headgate.internal.query.Explain}.
 */
@NullMarked
package dev.headgate.internal.query;

import org.jspecify.annotations.NullMarked;
