package dev.headgate.proof.simulation;

/** Identifies one start: a lease of a job, or a permit, which has no epoch. */
record StartRef(long id, long epoch) {}
