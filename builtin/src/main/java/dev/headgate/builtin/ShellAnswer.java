package dev.headgate.builtin;

/**
 * The result of a {@code shell} job. Of each stream the beginning is kept; its newest lines are in the job's log.
 *
 * @param cut whether either stream said more than was kept
 */
public record ShellAnswer(int exit, String stdout, String stderr, boolean cut) {}
