/**
 * For tests of a store and for tests of your own jobs: contracts, a memory store, virtual time.
 * A contract is an interface with tests in it. A store passes by implementing all of them.
 */
@NullMarked
package dev.headgate.testkit;

import org.jspecify.annotations.NullMarked;
