package dev.headgate.spi;

/**
 * A permit of a limiter that a program elsewhere asked for, so that it can be spoken of again by any process.
 *
 * @param id the number under which gates hold its places; below all numbers of jobs
 * @param request what asked for it; no two permits have the same
 * @param endsAt from this instant on it counts no more
 * @param state what it took of each gate and what became of it, as JSON
 */
public record PermitRow(long id, String request, long endsAt, String state) {}
