package dev.headgate.server.once;

import dev.headgate.server.http.Problem;
import dev.headgate.server.http.ProblemException;
import dev.headgate.server.http.Request;
import dev.headgate.server.token.Tokens;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a client calls a request, so that the server knows it again.
 *
 * @param token the id of the token that sent it; another token's key is another key
 * @param request SHA-256 of what was asked: another request must not have the same key
 */
public record RequestKey(String token, String key, String request) {
    public static final String HEADER = "Idempotency-Key";

    private static final int LENGTH_MAX = 200;

    /**
     * A key for this request.
     *
     * @param asked method, path and body
     */
    public static RequestKey of(String token, String key, String asked) {
        return new RequestKey(token, key, Tokens.hash(asked));
    }

    /** The key in the header of a request, absent if there is none. */
    public static @Nullable String header(Request request) {
        List<String> sent = request.headers(HEADER);
        if (sent.isEmpty()) {
            return null;
        }
        if (sent.size() > 1 || !isKey(sent.getFirst().strip())) {
            throw new ProblemException(
                    Problem.BAD_HEADER,
                    "expected one header '%s' with 1 to %d visible ASCII characters, got %s"
                            .formatted(
                                    HEADER,
                                    LENGTH_MAX,
                                    sent.size() > 1
                                            ? sent.size()
                                            : "%d characters"
                                                    .formatted(sent.getFirst().length())));
        }
        return sent.getFirst().strip();
    }

    /** A key in a field of a body. */
    public static String field(String name, String text) {
        if (!isKey(text)) {
            throw new ProblemException(
                    Problem.BAD_FIELD,
                    "field '%s': expected 1 to %d visible ASCII characters, got %d characters"
                            .formatted(name, LENGTH_MAX, text.length()));
        }
        return text;
    }

    private static boolean isKey(String text) {
        return !text.isEmpty()
                && text.length() <= LENGTH_MAX
                && text.chars().allMatch(letter -> letter > ' ' && letter < 0x7f);
    }

    /** What to tell a client whose key stands for another request. */
    ProblemException reused() {
        return new ProblemException(
                Problem.KEY_REUSED, "key '%s': expected the request that it was first sent with".formatted(key));
    }
}
