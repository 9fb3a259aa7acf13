package dev.headgate.server.http;

import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a client would like ({@code Prefer}, RFC 7240). What this server does not know is passed over, as that says. */
public final class Prefer {
    public static final String HEADER = "Prefer";

    /** Longer than this no request waits: whatever carries connections may cut off what is silent for 30 seconds. */
    private static final Duration WAIT_MAX = Duration.ofSeconds(25);

    private Prefer() {}

    /** How long the client would wait for a result; absent if it does not say. {@code Prefer: wait=20} is 20 seconds. */
    public static @Nullable Duration waiting(Request request) {
        for (String header : request.headers(HEADER)) {
            for (String preference : header.split(",", -1)) {
                String[] parts = preference.split(";", 2)[0].split("=", 2);
                if (parts[0].strip().toLowerCase(Locale.ROOT).equals("wait")) {
                    return seconds(parts.length < 2 ? "" : parts[1].strip().replace("\"", ""));
                }
            }
        }
        return null;
    }

    private static Duration seconds(String text) {
        if (!text.matches("[0-9]{1,9}")) {
            throw new ProblemException(
                    Problem.BAD_HEADER,
                    "header 'Prefer': expected wait=SECONDS such as wait=20, got another value of wait");
        }
        Duration wait = Duration.ofSeconds(Long.parseLong(text));
        return wait.compareTo(WAIT_MAX) > 0 ? WAIT_MAX : wait;
    }
}
