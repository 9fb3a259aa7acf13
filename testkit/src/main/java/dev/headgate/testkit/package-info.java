/**
 * For tests of your own jobs: start with {@link dev.headgate.testkit.TestHeadgate}.
 * Never sleeps and never reads the wall clock. Only {@code dev.headgate.testkit.junit} needs JUnit.
 */
@NullMarked
package dev.headgate.testkit;

import org.jspecify.annotations.NullMarked;
