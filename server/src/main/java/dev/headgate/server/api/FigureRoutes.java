package dev.headgate.server.api;

import dev.headgate.figure.FigureFilter;
import dev.headgate.figure.FigureKind;
import dev.headgate.limit.Spans;
import dev.headgate.server.http.Problem;
import dev.headgate.server.http.ProblemException;
import dev.headgate.server.http.Query;
import dev.headgate.server.http.Response;
import dev.headgate.server.route.Call;
import dev.headgate.server.route.Route;
import dev.headgate.server.token.Right;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;

/** Figures over time, and for monitoring systems. */
public final class FigureRoutes {
    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

    private FigureRoutes() {}

    public static List<Route> all() {
        return List.of(
                Route.shared("getFigures", "GET", "/v1/figures", Right.READ, FigureRoutes::figures)
                        .taking("queue", "type", "gate", "kind", "since", "step", "until"),
                Route.shared("getMetrics", "GET", "/metrics", Right.READ, FigureRoutes::metrics));
    }

    private static Response figures(Call call) {
        try {
            return Response.json(200, FigureJson.of(call.headgate().figures().read(filter(call.query()))));
        } catch (IllegalArgumentException wrong) {
            throw new ProblemException(Problem.BAD_QUERY, String.valueOf(wrong.getMessage()));
        }
    }

    private static FigureFilter filter(Query query) {
        String since = query.text("since");
        FigureFilter filter = FigureFilter.last(since == null ? Duration.ofHours(1) : Spans.parse(since));
        FigureFilter about = about(filter, query);
        String step = query.text("step");
        String until = query.text("until");
        FigureFilter stepped = step == null ? about : about.step(Spans.parse(step));
        return until == null ? stepped : stepped.until(instant(until));
    }

    private static FigureFilter about(FigureFilter filter, Query query) {
        FigureFilter about = null;
        for (String name : List.of("queue", "type", "gate", "kind")) {
            String value = query.text(name);
            if (value != null && about != null) {
                throw new IllegalArgumentException("figures: expected one of queue, type, gate and kind, got two");
            }
            about = value == null ? about : about(filter, name, value);
        }
        return about == null ? filter : about;
    }

    private static FigureFilter about(FigureFilter filter, String name, String value) {
        return switch (name) {
            case "queue" -> filter.queue(value);
            case "type" -> filter.type(value);
            case "gate" -> filter.gate(value);
            default -> filter.all(FigureKind.parse(value));
        };
    }

    private static Instant instant(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException unreadable) {
            throw new IllegalArgumentException(
                    "until: expected an instant such as 2030-01-31T09:00:00Z, got '%s'".formatted(text), unreadable);
        }
    }

    private static Response metrics(Call call) {
        return Response.text(
                200, PROMETHEUS, MetricsText.of(call.headgate().figures().totals()));
    }
}
