package dev.headgate.server.token;

import java.util.Locale;

/** What a token lets its bearer do. */
public enum Right {
    /** See jobs, gates, queues, policies, workers and runs, but no payloads and results. */
    READ,
    /** See payloads and results, too. */
    PAYLOADS,
    /** Enqueue jobs and start runs. */
    ENQUEUE,
    /** Take jobs, run them and report what came of them. */
    WORK,
    /** Change what is there: cancel, retry, delete, hold, pause, policies, schedules. */
    OPERATE,
    /** Everything, tokens included. */
    ADMIN;

    /** The word used in commands, in the API and in stores. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Reads the word. */
    public static Right parse(String text) {
        for (Right right : values()) {
            if (right.text().equals(text.strip().toLowerCase(Locale.ROOT))) {
                return right;
            }
        }
        throw new IllegalArgumentException(
                "right: expected read, payloads, enqueue, work, operate or admin, got '%s'".formatted(text));
    }
}
