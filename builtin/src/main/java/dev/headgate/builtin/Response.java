package dev.headgate.builtin;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a server answered.
 *
 * @param headers found whatever the case of their names
 * @param isReusable whether the connection can be used for another request
 */
record Response(int status, Map<String, List<String>> headers, KeptBody body, boolean isReusable) {
    List<String> allValues(String name) {
        return headers.getOrDefault(name, List.of());
    }

    Optional<String> firstValue(String name) {
        return allValues(name).stream().findFirst();
    }
}
