package dev.headgate.server.api;

import dev.headgate.figure.FigureKind;
import dev.headgate.figure.FigurePoint;
import dev.headgate.figure.FigurePoint.Counts;
import dev.headgate.figure.FigureSeries;
import dev.headgate.figure.Histogram;
import dev.headgate.internal.time.Micros;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * What was ever counted, in the text format of Prometheus. How many series there are does not depend on how many gates stand behind a
 * pattern: they are counted under its name, and of each kind only so many names have series of their own.
 */
final class MetricsText {
    private static final Map<String, ToLongFunction<Counts>> ENDS = ends();

    private final StringBuilder text = new StringBuilder();
    private final List<FigureSeries> all;

    private MetricsText(List<FigureSeries> all) {
        this.all = all;
    }

    private static Map<String, ToLongFunction<Counts>> ends() {
        Map<String, ToLongFunction<Counts>> ends = new LinkedHashMap<>();
        ends.put("succeeded", Counts::succeeded);
        ends.put("failed", Counts::failed);
        ends.put("retried", Counts::retried);
        ends.put("cancelled", Counts::cancelled);
        ends.put("lost", Counts::lost);
        ends.put("handed_back", Counts::handedBack);
        return ends;
    }

    /** @param all each with one point */
    static String of(List<FigureSeries> all) {
        MetricsText metrics = new MetricsText(all);
        for (FigureKind kind : List.of(FigureKind.QUEUE, FigureKind.TYPE, FigureKind.GATE)) {
            metrics.add(kind);
        }
        return metrics.text.toString();
    }

    private void add(FigureKind kind) {
        counter(kind, "enqueued_total", "New jobs.", point -> point.counts().enqueued());
        counter(
                kind,
                "started_total",
                "Attempts that began.",
                point -> point.counts().started());
        counter(
                kind,
                "started_units_total",
                "What attempts that began cost here.",
                point -> point.counts().units());
        labelled(kind, "ended_total", "counter", "Attempts that ended, by outcome.", point -> {
            Map<String, Long> ends = new LinkedHashMap<>();
            ENDS.forEach(
                    (outcome, many) -> ends.put("outcome=\"%s\"".formatted(outcome), many.applyAsLong(point.counts())));
            return ends;
        });
        labelled(
                kind,
                "in_use",
                "gauge",
                "Jobs that ran, some twenty seconds ago. Every server of a store says the same: take the maximum.",
                point -> Map.of("", point.inUse()));
        if (kind != FigureKind.TYPE) {
            labelled(kind, "refused_total", "counter", "Lanes that were turned away, by rule.", point -> {
                Map<String, Long> refused = new TreeMap<>();
                point.refused().forEach((rule, many) -> refused.put("rule=\"%s\"".formatted(escaped(rule)), many));
                return refused;
            });
        }
        histogram(kind, "wait_seconds", "How long jobs had been due when they started.", FigurePoint::waited);
        histogram(kind, "run_seconds", "How long attempts took.", FigurePoint::ran);
    }

    private void counter(FigureKind kind, String what, String help, ToLongFunction<FigurePoint> value) {
        labelled(kind, what, "counter", help, point -> Map.of("", value.applyAsLong(point)));
    }

    private void labelled(
            FigureKind kind, String what, String type, String help, Function<FigurePoint, Map<String, Long>> values) {
        String name = head(kind, what, type, help);
        each(kind, (label, point) -> values.apply(point).forEach((more, value) -> line(name, label, more, value)));
    }

    private void histogram(FigureKind kind, String what, String help, Function<FigurePoint, Histogram> of) {
        String name = head(kind, what, "histogram", help);
        each(kind, (label, point) -> {
            Histogram times = of.apply(point);
            long sum = 0;
            for (int bucket = 0; bucket < Histogram.BOUNDS.size(); bucket++) {
                sum += times.counts().get(bucket);
                String bound = seconds(Micros.of(Histogram.BOUNDS.get(bucket)));
                line(name + "_bucket", label, "le=\"%s\"".formatted(bound), sum);
            }
            line(name + "_bucket", label, "le=\"+Inf\"", times.count());
            text.append("%s_sum{%s} %s\n".formatted(name, label, seconds(Micros.of(times.total()))));
            line(name + "_count", label, "", times.count());
        });
    }

    private String head(FigureKind kind, String what, String type, String help) {
        String name = "headgate_%s_%s".formatted(kind.text(), what);
        text.append("# HELP %s %s\n# TYPE %s %s\n".formatted(name, help, name, type));
        return name;
    }

    private interface Point {
        void read(String label, FigurePoint point);
    }

    private void each(FigureKind kind, Point action) {
        for (FigureSeries series : all) {
            if (series.kind() == kind) {
                action.read(
                        "%s=\"%s\"".formatted(kind.text(), escaped(series.name())),
                        series.points().getFirst());
            }
        }
    }

    private void line(String name, String label, String more, long value) {
        text.append(name).append('{').append(label);
        if (!more.isEmpty()) {
            text.append(',').append(more);
        }
        text.append("} ").append(value).append('\n');
    }

    /** Whole microseconds as seconds, without a rounded fraction: {@code 0.001}, {@code 60}. */
    private static String seconds(long micros) {
        long whole = micros / Micros.PER_SECOND;
        long rest = micros % Micros.PER_SECOND;
        return rest == 0
                ? String.valueOf(whole)
                : "%d.%06d".formatted(whole, rest).replaceAll("0+$", "");
    }

    private static String escaped(String label) {
        return label.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }
}
