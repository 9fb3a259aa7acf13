package dev.headgate.server.route;

import dev.headgate.server.http.Percent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The path of a route, such as {@code /v1/jobs/{id}/log}. A part in braces takes any one segment. */
record PathPattern(String text, List<String> segments) {
    static PathPattern of(String text) {
        return new PathPattern(text, split(text));
    }

    static List<String> split(String path) {
        return List.of(path.substring(1).split("/", -1));
    }

    /** The parts in braces, decoded; empty if the path does not fit. */
    Optional<Map<String, String>> match(List<String> path) {
        if (path.size() != segments.size()) {
            return Optional.empty();
        }
        Map<String, String> found = new LinkedHashMap<>();
        for (int i = 0; i < path.size(); i++) {
            String expected = segments.get(i);
            if (expected.startsWith("{")) {
                if (path.get(i).isEmpty()) {
                    return Optional.empty();
                }
                found.put(expected.substring(1, expected.length() - 1), Percent.decode(path.get(i), false));
            } else if (!expected.equals(path.get(i))) {
                return Optional.empty();
            }
        }
        return Optional.of(found);
    }

    /** Fixed parts are looked at before parts in braces. */
    long braces() {
        return segments.stream().filter(segment -> segment.startsWith("{")).count();
    }
}
