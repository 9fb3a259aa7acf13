package dev.headgate.server.api;

import dev.headgate.internal.admission.StartMargin;
import dev.headgate.internal.time.Micros;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Limit;
import dev.headgate.limit.Margin;
import dev.headgate.limit.Quota;
import dev.headgate.limit.Rate;
import dev.headgate.limit.Spaced;
import dev.headgate.limit.Spans;
import dev.headgate.limit.Window;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The margins of a policy's limits over time, and what each costs. */
public final class MarginNotes {
    /** The cost of this one is told where there is none. */
    private static final Duration LEAST = Micros.duration(Margin.SHORTEST);

    private static final double PERCENT = 100;

    private MarginNotes() {}

    /**
     * The margin of one limit.
     *
     * @param micros its span as it applies here: all limits of a gate have the same; 0 if none, {@link Margin#OPEN} if
     *     the end of the handler ends it
     */
    public record Applied(Limit limit, long micros) {
        public boolean isUntilEnd() {
            return micros == Margin.OPEN;
        }

        /** The span, if time ends it; zero if there is none. */
        public @Nullable Duration span() {
            return isUntilEnd() ? null : Micros.duration(micros);
        }

        /** Such as {@code auto: 50ms}, {@code 50ms}, {@code none} or {@code until the handler ends}. */
        public String text() {
            if (isUntilEnd()) {
                return "until the handler ends";
            }
            Margin asked = limit.margin();
            String own = limit.marginMicros() == 0 ? "none" : Spans.text(Micros.duration(limit.marginMicros()));
            return (asked.kind() == Margin.Kind.AUTO ? "auto: " : "") + own + change();
        }

        private String change() {
            if (micros == limit.marginMicros()) {
                return "";
            }
            return (micros < limit.marginMicros()
                                    ? ", cut to %s by another limit"
                                    : ", stretched to %s for another limit")
                            .formatted(Spans.text(Micros.duration(micros)))
                    + " of the gate";
        }

        /** The share of the rate that it costs if every handler outlasts it; absent if that is not known. */
        public @Nullable Double costPercent() {
            return isUntilEnd() || limit instanceof Quota ? null : MarginNotes.costPercent(limit, micros);
        }

        /** What it costs, in words. */
        public String cost() {
            if (limit instanceof Quota quota) {
                return micros == 0
                        ? "nothing"
                        : "nothing but this: for %s around the turn of the %s a start counts in both"
                                .formatted(
                                        isUntilEnd()
                                                ? "as long as handlers run"
                                                : Spans.text(
                                                        Micros.duration(micros).plusSeconds(4)),
                                        quota.period().text());
            }
            if (isUntilEnd()) {
                return "more of the rate the longer handlers run";
            }
            double percent = MarginNotes.costPercent(limit, micros);
            return percent > 0 ? "at most %s of the rate".formatted(words(percent)) : "nothing";
        }

        /** What a margin would cost if there is none unless asked for. */
        public @Nullable String offer() {
            if (micros != 0 || limit.margin().kind() != Margin.Kind.AUTO) {
                return null;
            }
            Duration half = per(limit).dividedBy(2);
            Duration offered = half.compareTo(LEAST) < 0 ? half : LEAST;
            return "margin %s would cost at most %s of the rate"
                    .formatted(
                            Spans.text(offered),
                            words(MarginNotes.costPercent(limit, Math.max(2, offered.toNanos() / 1_000))));
        }

        /** All of this in one line. */
        public String line() {
            String offer = offer();
            String warning = micros > 0 && micros < Margin.SHORTEST
                    ? "; that is short: a worker needs about %s from a grant to its call, and gives back what takes longer"
                            .formatted(Spans.text(LEAST))
                    : "";
            return "%s: margin %s, costs %s%s%s"
                    .formatted(limit.text(), text(), cost(), offer == null ? "" : "; " + offer, warning);
        }
    }

    /** The margins of the limits over time, in the order of the policy. */
    public static List<Applied> of(GatePolicy policy) {
        return policy.limits().stream()
                .filter(Limit::isTimed)
                .map(limit -> new Applied(limit, applied(limit.marginMicros(), StartMargin.of(policy))))
                .toList();
    }

    private static long applied(long own, long all) {
        return own == 0 || own == Margin.OPEN ? own : all;
    }

    /** Whether each limit over time of this policy could have this margin. */
    public static boolean isPossible(GatePolicy policy, Duration span) {
        try {
            policy.limits().stream()
                    .filter(Limit::isTimed)
                    .forEach(limit ->
                            GatePolicy.of(limit.margin(Margin.of(span))).checkMargins());
            return true;
        } catch (IllegalArgumentException tooLong) {
            return false;
        }
    }

    /** Limits over time that count a start at its grant, as text. */
    public static List<String> without(GatePolicy policy) {
        return policy.limits().stream()
                .filter(limit -> limit.isTimed() && limit.marginMicros() == 0)
                .map(Limit::text)
                .toList();
    }

    /**
     * If every handler outlasts its margin, a window of {@code per} is used once in {@code per + margin}; a distance grows
     * by the margin; a bucket of several units takes the margin from its burst first.
     */
    private static double costPercent(Limit limit, long margin) {
        double per = per(limit).toNanos() / 1_000.0;
        return PERCENT
                * switch (limit) {
                    case Window window -> margin / (per + margin);
                    case Rate rate -> {
                        double unit = per / rate.count();
                        yield Math.max(0, margin - (rate.burst() - 1) * unit) / (margin + unit);
                    }
                    case Spaced spaced -> {
                        double distance = per / spaced.count();
                        yield margin / (distance + margin);
                    }
                    default -> 0;
                };
    }

    private static Duration per(Limit limit) {
        return switch (limit) {
            case Window window -> window.per();
            case Rate rate -> rate.per();
            case Spaced spaced -> spaced.per();
            default -> Duration.ofDays(1);
        };
    }

    private static String words(double percent) {
        return percent < 0.1 ? "0.1 %" : String.format(Locale.ROOT, "%.1f %%", percent);
    }
}
