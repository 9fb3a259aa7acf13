/**
 * How Headgate is proved: contracts of a store, conformance, differential, simulation, races, mutants. Not published.
 */
@NullMarked
package dev.headgate.proof;

import org.jspecify.annotations.NullMarked;
