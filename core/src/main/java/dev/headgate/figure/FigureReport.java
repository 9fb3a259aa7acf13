package dev.headgate.figure;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Figures over a range of time. All series have the same intervals.
 *
 * @param from when the first interval begins
 * @param to when the last one ends, which may be after now
 * @param step how long each is
 * @param series by kind, then the busiest first
 */
public record FigureReport(Instant from, Instant to, Duration step, List<FigureSeries> series) {
    public FigureReport {
        series = List.copyOf(series);
    }
}
