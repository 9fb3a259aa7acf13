package dev.headgate.job;

import java.time.Instant;

/** One line a handler logged about its job. */
public record LogLine(Instant at, long epoch, String text) {}
