/**
 * What every store must do, by topic: interfaces with tests in them.
 * Start with {@link dev.headgate.proof.contract.StoreContract}, which has them all.
 * Knows no store, no thread and no real time.
 */
@NullMarked
package dev.headgate.proof.contract;

import org.jspecify.annotations.NullMarked;
