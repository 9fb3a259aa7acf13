package dev.headgate.server.api;

import dev.headgate.figure.FigurePoint;
import dev.headgate.figure.FigureReport;
import dev.headgate.figure.FigureSeries;
import dev.headgate.figure.Histogram;
import dev.headgate.internal.json.JsonWriter;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;

/** Figures over time as JSON, for the HTTP API and the command line. */
public final class FigureJson {
    private static final int USUAL = 50;
    private static final int LONG = 95;

    private FigureJson() {}

    public static JsonWriter of(FigureReport report) {
        return JsonWriter.object()
                .put("from", report.from())
                .put("to", report.to())
                .put("stepMs", report.step().toMillis())
                .put(
                        "boundsMs",
                        Histogram.BOUNDS.stream().map(Duration::toMillis).toList())
                .put("series", report.series().stream().map(FigureJson::series).toList());
    }

    private static JsonWriter series(FigureSeries series) {
        return JsonWriter.object()
                .put("kind", series.kind().text())
                .put("name", series.name())
                .put("points", series.points().stream().map(FigureJson::point).toList());
    }

    private static JsonWriter point(FigurePoint point) {
        JsonWriter refused = JsonWriter.object();
        new TreeMap<>(point.refused()).forEach(refused::put);
        FigurePoint.Counts counts = point.counts();
        return JsonWriter.object()
                .put("at", point.at())
                .put("enqueued", counts.enqueued())
                .put("started", counts.started())
                .put("units", counts.units())
                .put("succeeded", counts.succeeded())
                .put("failed", counts.failed())
                .put("retried", counts.retried())
                .put("cancelled", counts.cancelled())
                .put("lost", counts.lost())
                .put("handedBack", counts.handedBack())
                .put("inUse", point.inUse())
                .put("refused", refused)
                .put("waited", times(point.waited()))
                .put("ran", times(point.ran()));
    }

    private static JsonWriter times(Histogram times) {
        return JsonWriter.object()
                .put("count", times.count())
                .put("totalMs", times.total().toMillis())
                .put("p50Ms", times.percentile(USUAL).toMillis())
                .put("p95Ms", times.percentile(LONG).toMillis())
                .put("counts", times.count() == 0 ? List.of() : times.counts());
    }
}
