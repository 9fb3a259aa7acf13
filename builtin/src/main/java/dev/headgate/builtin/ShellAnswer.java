package dev.headgate.builtin;

/**
 * The result of a {@code shell} job. The beginning of each stream is kept; its newest lines are in the job's log.
 *
 * @param cut whether either stream wrote more than was kept
 */
public record ShellAnswer(int exit, String stdout, String stderr, boolean cut) {}
