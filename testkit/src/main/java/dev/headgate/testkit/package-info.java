/**
 * For tests of your own jobs: a store in memory and a clock that stands still until it is told to move.
 * Never sleeps and never reads the wall clock.
 */
@NullMarked
package dev.headgate.testkit;

import org.jspecify.annotations.NullMarked;
