package dev.headgate.server.api;

import dev.headgate.NotFoundException;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.internal.text.Text;
import dev.headgate.server.http.Problem;
import dev.headgate.server.http.ProblemException;
import dev.headgate.server.http.Response;
import dev.headgate.server.route.Call;
import java.util.Map;
import java.util.function.Supplier;

/** What is wrong with a request, as JSON, and the pages that explain it. */
public final class Problems {
    public static final String MEDIA_TYPE = "application/problem+json";

    private static final int DETAIL_MAX = 4_000;

    private Problems() {}

    static JsonWriter json(ProblemException wrong) {
        return json(wrong, wrong.problem().remedy());
    }

    /** The same for one of several lines: those before it were stored. */
    static JsonWriter ofLine(ProblemException wrong, long line) {
        String before = line == 1
                ? "Nothing was stored"
                : "The lines before line %d are stored, it and those behind it are not".formatted(line);
        String remedy = wrong.problem() == Problem.BACKLOG_FULL
                ? "wait, then send the job and those behind it again"
                : "put it right, then send it and those behind it again";
        return json(wrong, "%s: %s.".formatted(before, remedy)).put("line", line);
    }

    private static JsonWriter json(ProblemException wrong, String remedy) {
        Problem problem = wrong.problem();
        return JsonWriter.object()
                .put("type", "/problems/" + problem.slug())
                .put("title", problem.title())
                .put("status", problem.status())
                .put("detail", Text.storable(wrong.detail(), DETAIL_MAX))
                .put("remedy", remedy);
    }

    /** What the engine says is wrong with what it was asked for is a problem of the request. */
    static <T> T refusing(Supplier<T> act) {
        try {
            return act.get();
        } catch (NotFoundException unknown) {
            throw unknown;
        } catch (IllegalArgumentException wrong) {
            throw new ProblemException(Problem.BAD_FIELD, String.valueOf(wrong.getMessage()));
        }
    }

    public static Response response(ProblemException wrong) {
        Response response =
                Response.text(wrong.problem().status(), MEDIA_TYPE, json(wrong).toString());
        for (Map.Entry<String, String> header : wrong.headers().entrySet()) {
            response = response.with(header.getKey(), header.getValue());
        }
        return response;
    }

    /** The page behind the type of a problem. */
    static Response page(Call call) {
        String slug = String.valueOf(call.path().get("slug"));
        Problem problem = Problem.ofSlug(slug)
                .orElseThrow(() -> new ProblemException(Problem.NOT_FOUND, "no problem has this name"));
        return Response.text(
                200,
                "text/plain; charset=utf-8",
                "%s (%d)\n\n%s.\n\n%s\n"
                        .formatted(problem.slug(), problem.status(), problem.title(), problem.remedy()));
    }
}
