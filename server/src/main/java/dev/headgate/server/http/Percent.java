package dev.headgate.server.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Reads text in which bytes are written as {@code %2F}; strictly, because two readings of one path would be two rights. */
public final class Percent {
    private Percent() {}

    /**
     * The text that was meant.
     *
     * @param isPlusSpace as in queries, not in paths
     * @throws IllegalArgumentException if a percent sign is not followed by two hexadecimal digits, or the bytes are not UTF-8
     */
    public static String decode(String text, boolean isPlusSpace) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '%') {
                int high = i + 1 < text.length() ? Character.digit(text.charAt(i + 1), 16) : -1;
                int low = i + 2 < text.length() ? Character.digit(text.charAt(i + 2), 16) : -1;
                if (high < 0 || low < 0) {
                    throw unreadable(text);
                }
                bytes.write(high * 16 + low);
                i += 2;
            } else if (c == '+' && isPlusSpace) {
                bytes.write(' ');
            } else if (c < 0x80) {
                bytes.write(c);
            } else {
                throw unreadable(text);
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException notUtf8) {
            throw unreadable(text);
        }
    }

    private static IllegalArgumentException unreadable(String text) {
        return new IllegalArgumentException("expected ASCII with UTF-8 written as %%C3%%A9, got '%s'"
                .formatted(text.length() > 100 ? text.substring(0, 100) + "…" : text));
    }
}
