package dev.headgate.server.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** Reads the body of a request: of the right kind, no larger than allowed, well-formed UTF-8. */
public final class BodyReader {
    private BodyReader() {}

    /**
     * Checks the kind of the body.
     *
     * @throws ProblemException if the request has a body of another kind than this
     */
    public static void expect(Request request, String mediaType) {
        expectOneOf(request, mediaType);
    }

    /**
     * The kind of the body.
     *
     * @throws ProblemException if the request has a body of another kind than these
     */
    public static String expectOneOf(Request request, String... mediaTypes) {
        List<String> sent = request.headers("Content-Type");
        String first = sent.isEmpty() ? "" : sent.getFirst();
        int semicolon = first.indexOf(';');
        String essence =
                (semicolon < 0 ? first : first.substring(0, semicolon)).strip().toLowerCase(Locale.ROOT);
        String parameters = semicolon < 0
                ? ""
                : first.substring(semicolon + 1)
                        .toLowerCase(Locale.ROOT)
                        .replace("\"", "")
                        .strip();
        if (sent.size() != 1
                || !List.of(mediaTypes).contains(essence)
                || !(parameters.isEmpty() || parameters.equals("charset=utf-8"))) {
            throw new ProblemException(
                    Problem.WRONG_MEDIA_TYPE,
                    "expected 'Content-Type: %s' in UTF-8, got %s"
                            .formatted(String.join(" or ", mediaTypes), sent.isEmpty() ? "none" : "'" + first + "'"));
        }
        return essence;
    }

    /** The whole body as text. */
    public static String text(Request request, int bytesMax) {
        long announced = length(request);
        if (announced > bytesMax) {
            throw tooLarge(bytesMax);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] buffer = new byte[8_192];
        try (InputStream in = request.body()) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                bytes.write(buffer, 0, read);
                if (bytes.size() > bytesMax) {
                    throw tooLarge(bytesMax);
                }
            }
        } catch (IOException broken) {
            throw new ProblemException(
                    Problem.BAD_REQUEST,
                    "expected the whole body, and it broke off after %d bytes".formatted(bytes.size()));
        }
        return text(bytes.toByteArray());
    }

    /** These bytes as text. */
    public static String text(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException notUtf8) {
            throw new ProblemException(Problem.BAD_JSON, "expected UTF-8, got other bytes");
        }
    }

    private static long length(Request request) {
        try {
            List<String> sent = request.headers("Content-Length");
            return sent.isEmpty() ? -1 : Long.parseLong(sent.getFirst());
        } catch (NumberFormatException unreadable) {
            return -1;
        }
    }

    private static ProblemException tooLarge(int bytesMax) {
        return new ProblemException(Problem.TOO_LARGE, "expected a body of at most %d bytes".formatted(bytesMax));
    }
}
