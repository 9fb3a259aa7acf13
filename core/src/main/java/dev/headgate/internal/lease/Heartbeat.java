package dev.headgate.internal.lease;

import java.util.List;

/** The answer to a heartbeat: which of its jobs the worker should stop, and whether lost workers wait to be reaped. */
public record Heartbeat(List<Long> toStop, boolean isReapDue) {}
