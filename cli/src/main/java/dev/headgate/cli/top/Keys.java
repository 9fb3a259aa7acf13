package dev.headgate.cli.top;

import java.io.IOException;
import java.io.Reader;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Reads the keys that are pressed: a letter is itself, the others have names of several letters. */
final class Keys {
    static final String ENTER = "enter";
    static final String ESCAPE = "escape";
    static final String TAB = "tab";
    static final String BACK_TAB = "back-tab";
    static final String BACKSPACE = "backspace";
    static final String UP = "up";
    static final String DOWN = "down";
    static final String PAGE_UP = "page-up";
    static final String PAGE_DOWN = "page-down";
    static final String OTHER = "other";

    private static final char ESC = 0x1b;
    private static final char DELETE = 0x7f;

    /** The rest of a sequence comes at once with its first letter; a key alone is not followed by anything. */
    private static final long SEQUENCE_NANOS = 30_000_000;

    private static final Map<String, String> SEQUENCES =
            Map.of("[A", UP, "OA", UP, "[B", DOWN, "OB", DOWN, "[Z", BACK_TAB, "[5~", PAGE_UP, "[6~", PAGE_DOWN);

    private final Reader in;

    Keys(Reader in) {
        this.in = in;
    }

    /** Waits for a key; absent when there will be no more. */
    @Nullable
    String next() throws IOException {
        int read = in.read();
        return switch (read) {
            case -1 -> null;
            case '\r', '\n' -> ENTER;
            case '\t' -> TAB;
            case '\b', DELETE -> BACKSPACE;
            case ESC -> sequence();
            default -> Character.isISOControl(read) ? OTHER : Character.toString(read);
        };
    }

    private String sequence() throws IOException {
        if (!isFollowed()) {
            return ESCAPE;
        }
        StringBuilder sequence = new StringBuilder().append((char) in.read());
        boolean isLong = sequence.charAt(0) == '[' || sequence.charAt(0) == 'O';
        while (isLong && isFollowed()) {
            char letter = (char) in.read();
            sequence.append(letter);
            isLong = !Character.isLetter(letter) && letter != '~';
        }
        return SEQUENCES.getOrDefault(sequence.toString(), OTHER);
    }

    private boolean isFollowed() throws IOException {
        if (!in.ready()) {
            LockSupport.parkNanos(SEQUENCE_NANOS);
        }
        return in.ready();
    }
}
