package dev.headgate.server.api;

import dev.headgate.internal.time.Micros;
import dev.headgate.run.Guardrail;
import dev.headgate.server.http.JsonDocument;
import dev.headgate.server.http.Problem;
import dev.headgate.server.http.ProblemException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** Reads figures of guardrails: {@code {"maxCostUnits":500,"maxWallTime":"1h"}}. */
final class BudgetReader {
    private BudgetReader() {}

    static Map<Guardrail, Long> read(JsonDocument body, String field) {
        Map<Guardrail, Long> read = new TreeMap<>();
        if (!body.has(field)) {
            return read;
        }
        JsonDocument figures = JsonDocument.parseAny(body.raw(field, "{}"));
        for (String title : figures.names()) {
            Guardrail guardrail = JsonDocument.read(field, () -> Guardrail.titled(title));
            long figure = figure(figures, guardrail);
            if (figure < 1) {
                throw new ProblemException(
                        Problem.BAD_FIELD,
                        "field '%s': expected %s of more than zero, got %s"
                                .formatted(field, title, guardrail.text(figure)));
            }
            read.put(guardrail, figure);
        }
        return read;
    }

    private static long figure(JsonDocument figures, Guardrail guardrail) {
        if (guardrail != Guardrail.WALL_TIME) {
            return figures.number(guardrail.title());
        }
        figures.text(guardrail.title()); // must be there
        Duration span = figures.spanOrNull(guardrail.title());
        return span == null ? 0 : Micros.of(span);
    }
}
