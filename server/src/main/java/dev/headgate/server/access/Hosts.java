package dev.headgate.server.access;

import dev.headgate.server.http.Problem;
import dev.headgate.server.http.ProblemException;
import dev.headgate.server.http.Request;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Keeps pages of other sites out. A name that a hostile page had resolved to this machine is not among the hosts that are
 * answered for, and a browser tells of a page of another site when it sends what would change something.
 */
final class Hosts {
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final Set<String> READING = Set.of("GET", "HEAD");

    private final Set<String> names;

    /** @param named the hosts that are answered for besides those of loopback, without ports */
    Hosts(Set<String> named) {
        this.names = named.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
    }

    void check(Request request) {
        List<String> sent = request.headers("Host");
        String host = sent.size() == 1 ? sent.getFirst().toLowerCase(Locale.ROOT) : "";
        String name = withoutPort(host);
        if (!LOOPBACK.contains(name) && !names.contains(name)) {
            throw new ProblemException(
                    Problem.WRONG_HOST,
                    sent.size() == 1
                            ? "expected the name of this server in the header Host, got another one"
                            : "expected one header Host, got %d".formatted(sent.size()));
        }
        if (!READING.contains(request.method())) {
            checkSite(request, host);
        }
    }

    private static void checkSite(Request request, String host) {
        for (String site : request.headers("Sec-Fetch-Site")) {
            if (!site.equals("same-origin") && !site.equals("none")) {
                throw new ProblemException(
                        Problem.CROSS_SITE,
                        "expected a request of this server's own pages, got one from a page that is '%s'"
                                .formatted(site.matches("[a-z-]{1,20}") ? site : "unknown"));
            }
        }
        for (String origin : request.headers("Origin")) {
            if (!isOf(origin, host)) {
                throw new ProblemException(
                        Problem.CROSS_SITE, "expected the origin of this server, got that of another one");
            }
        }
    }

    private static boolean isOf(String origin, String host) {
        try {
            URI uri = new URI(origin.toLowerCase(Locale.ROOT));
            return host.equals(uri.getAuthority());
        } catch (URISyntaxException unreadable) {
            return false;
        }
    }

    private static String withoutPort(String host) {
        int colon = host.lastIndexOf(':');
        boolean hasPort = colon > 0 && host.substring(colon + 1).matches("[0-9]{1,5}");
        return hasPort ? host.substring(0, colon) : host;
    }
}
