/**
 * Takes guards away from statements, one at a time, and runs the tests of a store that could notice.
 * Start with {@link dev.headgate.testkit.sqlmutants.SqlMutants}.
 * Knows statements by their files and stores by their test classes only; needs the engine of JUnit Jupiter.
 */
@NullMarked
package dev.headgate.testkit.sqlmutants;

import org.jspecify.annotations.NullMarked;
