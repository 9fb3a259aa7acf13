package dev.headgate.postgres;

import dev.headgate.store.StoreRefusedException;

/** What may be said of a URL, which may hold a password. */
final class PostgresUrl {
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

    static String rootMessage(Throwable failed) {
        Throwable root = failed;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return String.valueOf(root.getMessage());
    }
}
