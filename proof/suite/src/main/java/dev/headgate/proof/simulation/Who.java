package dev.headgate.proof.simulation;

/** Identifies one start: a lease of a job, or a permit, which has no epoch. */
record Who(long id, long epoch) {}
