package dev.headgate.workflow;

/** Somebody's answer to a {@link Flow#awaitApproval}. */
public record Approval(boolean isApproved, String by, String comment) {}
