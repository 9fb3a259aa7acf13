/**
 * The seam to a database: whole transitions over set-wise tables, the same for every store.
 * Start with {@link dev.headgate.store.Store}; a new database implements {@link dev.headgate.store.Backend}.
 * May change between releases; it is not part of the public API.
 */
@NullMarked
package dev.headgate.store;

import org.jspecify.annotations.NullMarked;
