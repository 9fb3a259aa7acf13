package dev.headgate.internal.worker;

import dev.headgate.internal.text.Text;
import org.jspecify.annotations.Nullable;

/** An exception as text to store with a job: type, message and place, cut to a readable size. */
final class ErrorText {
    private static final int BYTES_MAX = 16_000;
    private static final int MESSAGE_MAX = 4_000;
    private static final int FRAMES_MAX = 30;
    private static final int CAUSES_MAX = 5;

    private ErrorText() {}

    static String of(Throwable error) {
        StringBuilder text = new StringBuilder();
        Throwable next = error;
        for (int i = 0; i < CAUSES_MAX && next != null; i++) {
            if (i > 0) {
                text.append("\ncaused by ");
            }
            append(text, next);
            next = next.getCause();
        }
        return cut(text.toString());
    }

    private static void append(StringBuilder text, Throwable error) {
        text.append(error.getClass().getName());
        String message = messageOf(error);
        if (message != null) {
            text.append(": ").append(Text.storable(message, MESSAGE_MAX));
        }
        StackTraceElement[] frames = error.getStackTrace();
        for (int i = 0; i < Math.min(frames.length, FRAMES_MAX); i++) {
            text.append("\n\tat ").append(frames[i]);
        }
        if (frames.length > FRAMES_MAX) {
            text.append("\n\t… ").append(frames.length - FRAMES_MAX).append(" more");
        }
    }

    /** A user's exception may fail even in {@code getMessage}. */
    private static @Nullable String messageOf(Throwable error) {
        try {
            return error.getMessage();
        } catch (RuntimeException unspeakable) {
            return "(its message could not be read: %s)"
                    .formatted(unspeakable.getClass().getName());
        }
    }

    /** Makes text storable and no longer than {@link #BYTES_MAX} bytes of UTF-8. */
    static String cut(String text) {
        int bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            // Half of a surrogate pair counts two of its four bytes.
            bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
            if (bytes > BYTES_MAX) {
                return Text.storable(text.substring(0, i), Integer.MAX_VALUE) + "…";
            }
        }
        return Text.storable(text, Integer.MAX_VALUE);
    }
}
