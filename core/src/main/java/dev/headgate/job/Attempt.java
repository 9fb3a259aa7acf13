package dev.headgate.job;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One try that did not succeed: which, by whom, when, and what came of it. */
public record Attempt(
        int number,
        long epoch,
        String worker,
        @Nullable Instant startedAt,
        Instant endedAt,
        String outcome,
        String error) {}
