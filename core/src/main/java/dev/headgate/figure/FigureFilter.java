package dev.headgate.figure;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which figures to read: {@code FigureFilter.last(ofHours(1)).step(ofMinutes(1)).gate("tenant:*")}.
 *
 * @param span how far back from {@code until}
 * @param until null means now
 * @param step how long each interval is
 * @param kind null means all but single gates behind patterns
 * @param name null means all; of a gate a pattern also means the busiest gates that it covers
 */
public record FigureFilter(
        Duration span,
        @Nullable Instant until,
        Duration step,
        @Nullable FigureKind kind,
        @Nullable String name) {
    /** The shortest interval, and what all others are a multiple of. */
    public static final Duration FINE = Duration.ofSeconds(10);

    /** What intervals are a multiple of that are older than {@link #FINE_KEPT}. */
    public static final Duration COARSE = Duration.ofMinutes(10);

    /** How long intervals of {@link #FINE} are kept. */
    public static final Duration FINE_KEPT = Duration.ofHours(24);

    /** How long intervals of {@link #COARSE} are kept. */
    public static final Duration COARSE_KEPT = Duration.ofDays(30);

    /** The most intervals of one report about one queue, job type or gate. */
    public static final int POINTS_MAX = 2_000;

    /** The most intervals of one report about all. */
    public static final int POINTS_OF_ALL_MAX = 150;

    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");
    private static final List<Duration> STEPS = List.of(
            FINE,
            Duration.ofMinutes(1),
            Duration.ofMinutes(5),
            COARSE,
            Duration.ofHours(1),
            Duration.ofHours(2),
            Duration.ofHours(6));

    public FigureFilter {
        List<String> faults = new ArrayList<>();
        if (!isMultiple(step, FINE)) {
            faults.add("step: expected a multiple of 10 s, got %s".formatted(step));
        } else if (span.compareTo(step) < 0 || span.compareTo(COARSE_KEPT) > 0) {
            faults.add("span: expected at least the step and at most 30 days, got %s".formatted(span));
        } else if (span.dividedBy(step) > pointsMax(name)) {
            faults.add("step: expected at most %d intervals%s, got %d; take a longer step or a shorter span"
                    .formatted(pointsMax(name), name == null ? " of all" : "", span.dividedBy(step)));
        }
        if (until != null && (until.isBefore(Instant.EPOCH) || until.isAfter(LATEST))) {
            faults.add("until: expected an instant from 1970 to 9999, got %s".formatted(until));
        }
        if (name != null && kind == null) {
            faults.add("name: expected a kind with it, got only '%s'".formatted(name));
        }
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException("figures: " + String.join("; ", faults));
        }
    }

    private static int pointsMax(@Nullable String name) {
        return name == null ? POINTS_OF_ALL_MAX : POINTS_MAX;
    }

    private static boolean isMultiple(Duration step, Duration of) {
        return step.isPositive() && step.equals(of.multipliedBy(step.dividedBy(of)));
    }

    /** From so long ago until now, in as many intervals as a picture needs: 150 at most. */
    public static FigureFilter last(Duration span) {
        return new FigureFilter(span, null, usualStep(span), null, null);
    }

    /** The step that {@link #last} takes. */
    private static Duration usualStep(Duration span) {
        for (Duration step : STEPS) {
            if (span.dividedBy(step) <= POINTS_OF_ALL_MAX) {
                return step;
            }
        }
        return STEPS.getLast();
    }

    /** The same until another instant. */
    public FigureFilter until(Instant end) {
        return new FigureFilter(span, end, step, kind, name);
    }

    /** The same in intervals of this length: a multiple of 10 s, and of 10 minutes for what is older than 24 hours. */
    public FigureFilter step(Duration each) {
        return new FigureFilter(span, until, each, kind, name);
    }

    /** Only this queue. */
    public FigureFilter queue(String queue) {
        return new FigureFilter(span, until, step, FigureKind.QUEUE, queue);
    }

    /** Only this job type. */
    public FigureFilter type(String type) {
        return new FigureFilter(span, until, step, FigureKind.TYPE, type);
    }

    /** Only this gate. A pattern such as {@code tenant:*} is all gates behind it, and the busiest of them one by one. */
    public FigureFilter gate(String gate) {
        return new FigureFilter(span, until, step, FigureKind.GATE, gate);
    }

    /** Only all series of this kind. */
    public FigureFilter all(FigureKind which) {
        return new FigureFilter(span, until, step, which, null);
    }

    /** Whether a series is asked for. */
    public boolean matches(FigureKind other, String of) {
        if (kind == null) {
            return other != FigureKind.KEY;
        }
        if (name == null) {
            return other == kind;
        }
        boolean isCovered = kind == FigureKind.GATE
                && other == FigureKind.KEY
                && name.endsWith("*")
                && of.startsWith(name.substring(0, name.length() - 1));
        boolean isKey = kind == FigureKind.GATE && other == FigureKind.KEY;
        return isCovered || ((other == kind || isKey) && of.equals(name));
    }
}
