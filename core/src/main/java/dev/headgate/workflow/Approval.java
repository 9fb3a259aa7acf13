package dev.headgate.workflow;

/**
 * The decision that a {@link Flow#awaitApproval} waits for.
 *
 * @param by the person who decided
 * @param comment why; may be empty
 */
public record Approval(boolean isApproved, String by, String comment) {}
