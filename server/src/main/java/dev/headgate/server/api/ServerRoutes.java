package dev.headgate.server.api;

import dev.headgate.internal.json.JsonWriter;
import dev.headgate.server.http.Problem;
import dev.headgate.server.http.ProblemException;
import dev.headgate.server.http.Response;
import dev.headgate.server.route.Call;
import dev.headgate.server.route.Route;
import dev.headgate.server.token.Right;
import dev.headgate.store.StoreUnavailableException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The server itself: its contract, its health, and who asks. */
public final class ServerRoutes {
    private static final String CONTRACT = "/dev/headgate/server/openapi.yaml";

    private ServerRoutes() {}

    public static List<Route> all() {
        return List.of(
                Route.open("getContract", "GET", "/openapi.yaml", call -> contract()),
                Route.open("getProblem", "GET", "/problems/{slug}", Problems::page),
                Route.open(
                        "isAlive", "GET", "/healthz", call -> Response.text(200, "text/plain; charset=utf-8", "ok\n")),
                Route.open("isReady", "GET", "/readyz", ServerRoutes::ready),
                Route.jobs("whoAmI", "GET", "/v1/token", Right.READ, ServerRoutes::who),
                Route.shared("getServer", "GET", "/v1/server", Right.READ, ServerRoutes::server));
    }

    /** The contract of the API, as it is served. */
    public static String contractText() {
        try (InputStream in = ServerRoutes.class.getResourceAsStream(CONTRACT)) {
            if (in == null) {
                throw new IllegalStateException("expected the resource %s".formatted(CONTRACT));
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static Response contract() {
        return Response.text(200, "application/yaml", contractText());
    }

    /** Whether the store can be read. Says nothing else, because everybody may ask. */
    private static Response ready(Call call) {
        try {
            call.headgate().policies().version();
            return Response.text(200, "text/plain; charset=utf-8", "ready\n");
        } catch (StoreUnavailableException gone) {
            throw new ProblemException(Problem.STORE_UNAVAILABLE, "the store did not answer")
                    .header("Retry-After", "1");
        }
    }

    private static Response who(Call call) {
        return Response.json(200, TokenJson.of(call.bearer()));
    }

    private static Response server(Call call) {
        return Response.json(
                200,
                JsonWriter.object()
                        .put("api", 1)
                        .put("store", call.headgate().describe())
                        .put("policyVersion", call.headgate().policies().version()));
    }
}
