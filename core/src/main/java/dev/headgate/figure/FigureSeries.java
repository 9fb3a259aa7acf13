package dev.headgate.figure;

import java.util.List;

/**
 * The figures of one queue, job type or gate, interval by interval, oldest first and without gaps.
 *
 * @param name of a gate the name of the policy that covers it, such as {@code tenant:*}; {@code *} is all that are not among those
 *     with series of their own
 */
public record FigureSeries(FigureKind kind, String name, List<FigurePoint> points) {
    public FigureSeries {
        points = List.copyOf(points);
    }
}
