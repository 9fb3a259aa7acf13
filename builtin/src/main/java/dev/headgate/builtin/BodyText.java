package dev.headgate.builtin;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The bytes of an answer as text, or in base 64 if they are not text. */
record BodyText(@Nullable String text, @Nullable String base64) {
    private static final Pattern CHARSET = Pattern.compile("(?i)charset=\"?([\\w.:-]+)");
    /** A cut may fall into a character; at most this many bytes of it are left at the end. */
    private static final int TORN_BYTES_MAX = 3;

    static BodyText of(KeptBody kept, Optional<String> contentType) {
        Charset charset = contentType.flatMap(BodyText::charset).orElse(StandardCharsets.UTF_8);
        ByteBuffer bytes = kept.bytes();
        int length = bytes.remaining();
        for (int torn = 0; torn <= (kept.isCut() ? TORN_BYTES_MAX : 0) && torn <= length; torn++) {
            String text = decoded(charset, bytes.slice(0, length - torn));
            if (text != null) {
                return new BodyText(text, null);
            }
        }
        ByteBuffer encoded = Base64.getEncoder().encode(bytes.slice());
        return new BodyText(null, StandardCharsets.US_ASCII.decode(encoded).toString());
    }

    private static Optional<Charset> charset(String contentType) {
        Matcher named = CHARSET.matcher(contentType);
        try {
            return named.find() ? Optional.of(Charset.forName(named.group(1))) : Optional.empty();
        } catch (IllegalCharsetNameException | UnsupportedCharsetException unknown) {
            return Optional.empty();
        }
    }

    /** Absent if it is not text, or has NUL, which not every store can keep in a text. */
    private static @Nullable String decoded(Charset charset, ByteBuffer bytes) {
        try {
            String text = charset.newDecoder().decode(bytes).toString();
            return text.indexOf('\0') < 0 ? text : null;
        } catch (CharacterCodingException notText) {
            return null;
        }
    }
}
