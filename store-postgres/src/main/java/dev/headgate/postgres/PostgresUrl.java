package dev.headgate.postgres;

import dev.headgate.store.StoreRefusedException;
import dev.headgate.store.StoreUnavailableException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

/** What may be said of a URL, which may hold a password. */
final class PostgresUrl {
    private static final String OPTIONS = "options=";

    private PostgresUrl() {}

    /** The driver takes a user before the host for a part of the host's name and repeats it, password and all, in its messages. */
    static void check(String url) {
        if (place(url).indexOf('@') >= 0) {
            throw new StoreRefusedException(
                    "PostgreSQL %s: expected user and password as options, got them before the host; write ?user=…&password=… behind the database"
                            .formatted(withoutSecrets(url)));
        }
    }

    private static String place(String url) {
        int query = url.indexOf('?');
        return query < 0 ? url : url.substring(0, query);
    }

    /** The place without user, password or options. */
    static String withoutSecrets(String url) {
        return place(url).replaceFirst("//.*@", "//");
    }

    /** The startup options that the URL names, as they are; empty if it names none. The driver takes the last of several. */
    static String options(String url) {
        String options = "";
        for (String each : parameters(url)) {
            options = isOptions(each)
                    ? URLDecoder.decode(each.substring(OPTIONS.length()), StandardCharsets.UTF_8)
                    : options;
        }
        return options;
    }

    /** The URL without these. What a URL says goes before what a program gives the driver, so the two cannot be joined otherwise. */
    static String withoutOptions(String url) {
        String rest = parameters(url).stream().filter(each -> !isOptions(each)).collect(Collectors.joining("&"));
        return rest.isEmpty() ? place(url) : place(url) + "?" + rest;
    }

    private static boolean isOptions(String parameter) {
        return parameter.startsWith(OPTIONS);
    }

    private static List<String> parameters(String url) {
        int query = url.indexOf('?');
        return query < 0 ? List.of() : List.of(url.substring(query + 1).split("&", -1));
    }

    static StoreUnavailableException unreachable(String url, Exception failed) {
        return new StoreUnavailableException(
                "PostgreSQL: expected a database at %s, could not reach it: %s; check host, port, user and that it runs"
                        .formatted(withoutSecrets(url), rootMessage(failed)),
                failed);
    }

    static String rootMessage(Throwable failed) {
        Throwable root = failed;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String message = String.valueOf(root.getMessage());
        return message.contains("targetServerType")
                ? message
                        + " (the driver takes a server for a standby also if default_transaction_read_only is on for this role)"
                : message;
    }
}
