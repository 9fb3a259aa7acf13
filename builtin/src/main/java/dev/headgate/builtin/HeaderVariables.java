package dev.headgate.builtin;

import dev.headgate.handler.PermanentFailure;
import dev.headgate.internal.text.Text;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The variables of an environment that {@code http} jobs may send as headers, and where each may go: the right to
 * enqueue is the right to choose where a request goes, and any variable could be sent there otherwise.
 *
 * <p>A binding is written {@code API_TOKEN=api.example.com}. The host is a name, {@code *.example.com} (names below it)
 * or an address. It means HTTPS at its usual port; {@code http://} before the host means plain HTTP, and a port may
 * stand behind it: {@code API_TOKEN=http://localhost:8080}. A variable with several bindings may go to each of them.
 */
public final class HeaderVariables {
    /** No variable may be sent anywhere. */
    public static final HeaderVariables NONE = of(List.of(), Map.of());

    private static final Pattern BINDING = Pattern.compile(
            "([A-Za-z_][A-Za-z0-9_]{0,199})=(?:(https?)://)?(\\[[0-9a-fA-F:.]+]|[^\\[\\]/:]+)(?::(\\d{1,5}))?/?");
    private static final int PORT_MAX = 65_535;

    /** By variable; the host of an origin may be a pattern here. */
    private final Map<String, List<Origin>> origins = new HashMap<>();

    private final Map<String, String> environment;

    private HeaderVariables(Collection<String> bindings, Map<String, String> environment) {
        this.environment = environment;
        bindings.forEach(this::bind);
    }

    /**
     * These variables, each for these hosts.
     *
     * @param bindings such as {@code API_TOKEN=api.example.com}
     * @param environment where the values are found, by the names of the variables
     */
    public static HeaderVariables of(Collection<String> bindings, Map<String, String> environment) {
        return new HeaderVariables(bindings, environment);
    }

    private void bind(String text) {
        Matcher binding = BINDING.matcher(text.strip());
        if (!binding.matches()) {
            throw unreadable();
        }
        boolean isTls = !"http".equals(binding.group(2));
        String host = host(binding.group(3));
        if (host.equals(HostRules.ANY)) {
            throw new IllegalArgumentException(
                    "variable %s: expected the hosts that it is for, got any; name each of them, or *.NAME"
                            .formatted(binding.group(1)));
        }
        int port = binding.group(4) == null ? Origin.usualPort(isTls) : Integer.parseInt(binding.group(4));
        if (port < 1 || port > PORT_MAX) {
            throw unreadable();
        }
        origins.computeIfAbsent(binding.group(1), name -> new ArrayList<>()).add(new Origin(isTls, host, port));
    }

    private static String host(String text) {
        try {
            return HostRules.pattern(text);
        } catch (IllegalArgumentException notAHost) {
            throw unreadable();
        }
    }

    /** Does not quote the input: the text behind the '=' may be the secret itself. */
    private static IllegalArgumentException unreadable() {
        return new IllegalArgumentException(
                "variable: expected NAME=HOST such as API_TOKEN=api.example.com or API_TOKEN=http://localhost:8080, got something else; it is not shown");
    }

    /**
     * The values of headers, by their names.
     *
     * @param variables by the names of the headers
     * @throws PermanentFailure if one of them may not go there or is not set
     */
    Map<String, String> values(Origin target, Map<String, String> variables) {
        Map<String, String> values = new LinkedHashMap<>();
        variables.forEach((header, variable) -> values.put(header, value(target, header, variable)));
        return values;
    }

    private String value(Origin target, String header, String variable) {
        String value = environment.get(variable);
        // One message for all reasons: it is stored, and its readers must not learn what this worker has.
        if (value == null
                || origins.getOrDefault(variable, List.of()).stream().noneMatch(each -> covers(each, target))) {
            throw new PermanentFailure(
                    "header '%s': expected a worker that has the variable %s and may send it there, got one that does not; set it, start the worker with --http-env %s=%s and retry the job"
                            .formatted(header, variable, variable, Text.visible(target.toString())));
        }
        try {
            HttpJob.checkHeaderValue(header, value.strip());
        } catch (IllegalArgumentException unfit) {
            throw new PermanentFailure("variable %s: %s".formatted(variable, unfit.getMessage()));
        }
        return value.strip();
    }

    private static boolean covers(Origin allowed, Origin target) {
        return allowed.isTls() == target.isTls()
                && allowed.port() == target.port()
                && HostRules.matches(allowed.host(), target.host());
    }
}
