package dev.headgate.server.route;

import dev.headgate.server.http.Problem;
import dev.headgate.server.http.ProblemException;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** All routes; finds the one that a request means. */
public final class Router {
    private final List<Entry> entries;

    private record Entry(PathPattern pattern, Route route) {}

    /** The route of a request, and the parts of its path that stand in braces. */
    public record Match(Route route, Map<String, String> path) {}

    public Router(Collection<Route> routes) {
        Map<String, Route> byId = new LinkedHashMap<>();
        for (Route route : routes) {
            if (byId.put(route.id(), route) != null) {
                throw new IllegalArgumentException(
                        "route: expected each id once, got '%s' twice".formatted(route.id()));
            }
        }
        this.entries = routes.stream()
                .map(route -> new Entry(PathPattern.of(route.path()), route))
                .sorted(Comparator.comparingLong(entry -> entry.pattern().braces()))
                .toList();
    }

    public List<Route> routes() {
        return entries.stream().map(Entry::route).toList();
    }

    /**
     * The route that a request means.
     *
     * @param path as it was sent, with its percent signs
     */
    public Match find(String method, String path) {
        TreeSet<String> methods = new TreeSet<>();
        List<String> segments = PathPattern.split(path);
        try {
            for (Entry entry : entries) {
                Map<String, String> found = entry.pattern().match(segments).orElse(null);
                if (found != null) {
                    if (entry.route().method().equals(method)) {
                        return new Match(entry.route(), found);
                    }
                    methods.add(entry.route().method());
                }
            }
        } catch (IllegalArgumentException unreadable) {
            throw new ProblemException(Problem.NO_SUCH_ROUTE, "path: " + unreadable.getMessage());
        }
        if (methods.isEmpty()) {
            throw new ProblemException(
                    Problem.NO_SUCH_ROUTE,
                    path.matches("/v[0-9]+(/.*)?") && !path.startsWith("/v1/")
                            ? "expected version 1 of the API, /v1, got %s"
                                    .formatted(path.substring(1).split("/", 2)[0])
                            : "nothing is at this path");
        }
        String allowed = String.join(", ", methods);
        throw new ProblemException(Problem.WRONG_METHOD, "expected %s, got %s".formatted(allowed, method))
                .header("Allow", allowed);
    }
}
