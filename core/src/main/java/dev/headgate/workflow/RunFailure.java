package dev.headgate.workflow;

/**
 * How a run comes to its bad end, as {@link Flow#onFailure} and {@link Flow#onCancel} are told.
 *
 * @param step where it stood
 * @param reason the error, or why it was cancelled
 */
public record RunFailure(String step, String reason) {}
