package dev.headgate.job;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One attempt that did not succeed: its number, worker, time, outcome and error. */
public record Attempt(
        int number,
        long epoch,
        String worker,
        @Nullable Instant startedAt,
        Instant endedAt,
        String outcome,
        String error) {}
