/**
 * Two stores, one script: the same seeded commands must get the same answers, and the answers must keep our promises.
 * Start with {@link dev.headgate.proof.differential.Differential}.
 * One thread and virtual time, so a seed repeats the whole run.
 */
@NullMarked
package dev.headgate.proof.differential;

import org.jspecify.annotations.NullMarked;
