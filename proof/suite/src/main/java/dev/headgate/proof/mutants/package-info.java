/**
 * Takes guards away from statements, one at a time, and runs the tests of a store that could notice.
 * Start with {@link dev.headgate.proof.mutants.SqlMutants}; the mutants of Java, which use the same loader and the same trials, stand in
 * the tests of this module. Knows statements by their files and stores by their test classes only; needs the engine of JUnit Jupiter.
 */
@NullMarked
package dev.headgate.proof.mutants;

import org.jspecify.annotations.NullMarked;
