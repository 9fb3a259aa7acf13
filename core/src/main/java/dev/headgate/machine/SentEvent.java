package dev.headgate.machine;

import org.jspecify.annotations.Nullable;

/**
 * An event as it was sent to an instance.
 *
 * @param key the sender's key, by which it counts once
 * @param json its payload; {@code null} as text if it has none
 */
public record SentEvent(String event, @Nullable String key, String json) {
    /** The one line in which the events of an instance stand, whatever their names, so that they keep their order. */
    public static final String INBOX = "~event";
}
