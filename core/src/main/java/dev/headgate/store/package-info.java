/**
 * The seam to a database: one transaction over set-wise tables, the same for every store.
 * A new database implements {@link dev.headgate.store.Backend} and {@link dev.headgate.store.StoreTransaction}; users meet
 * {@link dev.headgate.store.JobFilter} and the two exceptions.
 * Holds no rule: those are in {@code dev.headgate.transition}. The tables may change between releases.
 */
@NullMarked
package dev.headgate.store;

import org.jspecify.annotations.NullMarked;
