package dev.headgate.server.api;

import dev.headgate.server.http.Problem;
import dev.headgate.server.http.ProblemException;
import dev.headgate.server.token.Tokens;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/** Where the next page of a list begins, as text that says nothing to clients, and belongs to one filter only. */
final class Cursor {
    private static final int MARK = 12;

    private Cursor() {}

    /** @param filter what the list was asked for */
    static String of(String position, List<String> filter) {
        String text = position + " " + mark(filter);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The position that was given. */
    static String read(String cursor, List<String> filter) {
        try {
            String text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
            int space = text.lastIndexOf(' ');
            if (space > 0 && text.substring(space + 1).equals(mark(filter))) {
                return text.substring(0, space);
            }
        } catch (IllegalArgumentException unreadable) {
            // told below
        }
        throw new ProblemException(
                Problem.BAD_CURSOR, "expected a cursor that this list returned for the same filter, got another text");
    }

    private static String mark(List<String> filter) {
        return Tokens.hash(String.valueOf(filter)).substring(0, MARK);
    }
}
