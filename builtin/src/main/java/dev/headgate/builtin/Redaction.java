package dev.headgate.builtin;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.util.Base64;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Hides secret values in text that comes back from a server or a command: servers like to repeat what they were sent.
 *
 * <p>It finds a value as it is, its parts (the credentials behind {@code Bearer}, the lines of a key, the values of
 * cookies), the user and password of {@code Basic} credentials, and each of these in base 64, percent-encoded, or escaped for
 * JSON or HTML, in upper or lower case. It does not find what was changed in another way: hashed, in hexadecimal,
 * compressed, reversed, or repeated in pieces. Values of less than {@value #LENGTH_MIN} characters, and parts of less than
 * {@value #PART_LENGTH_MIN}, are not hidden: they would be found everywhere.
 */
final class Redaction {
    /** What stands in the place of a value. */
    static final String HIDDEN = "(hidden)";

    static final Redaction NONE = new Redaction(List.of());

    private static final int LENGTH_MIN = 4;
    private static final int PART_LENGTH_MIN = 8;
    private static final Pattern BASIC = Pattern.compile("(?i)basic\\s+(\\S+)");
    private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9-]*\\s+(\\S+)");

    /** In lower case. */
    private final List<String> forms;

    private final int lengthMax;

    private Redaction(List<String> forms) {
        this.forms = forms;
        this.lengthMax = forms.stream().mapToInt(String::length).max().orElse(0);
    }

    static Redaction of(Collection<String> values) {
        Set<String> secrets = new LinkedHashSet<>();
        values.forEach(value -> addSecrets(value.strip(), secrets));
        Set<String> forms = new LinkedHashSet<>();
        secrets.forEach(secret -> addForms(secret, forms));
        return new Redaction(forms.stream().map(Redaction::lower).distinct().toList());
    }

    boolean isNone() {
        return forms.isEmpty();
    }

    /** How many bytes beyond the kept ones must be read, so that a value at the cut is found whole. */
    int lengthMax() {
        return lengthMax;
    }

    private static void addSecrets(String value, Set<String> secrets) {
        add(value, LENGTH_MIN, secrets);
        Matcher scheme = SCHEME.matcher(value);
        if (scheme.matches()) {
            add(scheme.group(1), LENGTH_MIN, secrets);
        }
        Matcher basic = BASIC.matcher(value);
        if (basic.matches()) {
            addDecoded(basic.group(1), secrets);
        }
        for (String part : value.split("[\\s,;]+", -1)) {
            add(part, PART_LENGTH_MIN, secrets);
            String assigned = part.substring(part.indexOf('=') + 1);
            add(assigned.replaceAll("^\"|\"$", ""), PART_LENGTH_MIN, secrets);
        }
    }

    /** User and password together, and the password alone. */
    private static void addDecoded(String base64, Set<String> secrets) {
        try {
            String decoded = new String(Base64.getDecoder().decode(base64), UTF_8);
            add(decoded, LENGTH_MIN, secrets);
            add(decoded.substring(decoded.indexOf(':') + 1), LENGTH_MIN, secrets);
        } catch (IllegalArgumentException notBase64) {
            // The value is hidden as it is.
        }
    }

    private static void add(String text, int lengthMin, Set<String> texts) {
        if (text.length() >= lengthMin) {
            texts.add(text);
        }
    }

    private static void addForms(String secret, Set<String> forms) {
        forms.add(secret);
        for (Charset charset : List.of(UTF_8, UTF_16LE, UTF_16BE)) {
            forms.add(new String(secret.getBytes(charset), ISO_8859_1));
        }
        String percent = URLEncoder.encode(secret, UTF_8);
        forms.add(percent);
        forms.add(percent.replace("+", "%20"));
        String json = secret.replace("\\", "\\\\").replace("\"", "\\\"");
        forms.add(json);
        forms.add(json.replace("/", "\\/"));
        String html = secret.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
        forms.add(html);
        forms.add(html.replace("\"", "&quot;").replace("'", "&#39;"));
        for (int before = 0; before < 3; before++) {
            String base64 = base64Within(secret, before);
            add(base64, PART_LENGTH_MIN, forms);
            add(base64.replace('+', '-').replace('/', '_'), PART_LENGTH_MIN, forms);
        }
    }

    /**
     * The part of base 64 that does not depend on the text around the secret, if this many bytes (modulo 3) stand
     * before it.
     */
    private static String base64Within(String secret, int before) {
        byte[] bytes = (" ".repeat(before) + secret).getBytes(UTF_8);
        String encoded = Base64.getEncoder().withoutPadding().encodeToString(bytes);
        int begin = before == 0 ? 0 : before + 1;
        int end = bytes.length % 3 == 0 ? encoded.length() : encoded.length() - 1;
        return begin < end ? encoded.substring(begin, end) : "";
    }

    /** Only ASCII, so that each character keeps its place. */
    private static String lower(String text) {
        StringBuilder lower = new StringBuilder(text);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 'A' && c <= 'Z') {
                lower.setCharAt(i, (char) (c + ('a' - 'A')));
            }
        }
        return lower.toString();
    }

    /** The text without the values. */
    String hide(String text) {
        return hide(text, text.length());
    }

    /** The same for the first bytes of a body, whatever their encoding: each byte counts as one character. */
    KeptBody hide(KeptBody body, int bytesMax) {
        byte[] bytes = new byte[body.bytes().remaining()];
        body.bytes().slice().get(bytes);
        String hidden = hide(new String(bytes, ISO_8859_1), bytesMax);
        return new KeptBody(ByteBuffer.wrap(hidden.getBytes(ISO_8859_1)), body.isCut() || bytes.length > bytesMax);
    }

    /** Of the text so many characters are kept; a value that begins before the end of them is hidden whole. */
    private String hide(String text, int lengthMax) {
        int end = Math.min(text.length(), lengthMax);
        BitSet secret = secretPlaces(text);
        if (secret.isEmpty()) {
            return text.substring(0, end);
        }
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < end; i++) {
            if (!secret.get(i)) {
                shown.append(text.charAt(i));
            } else if (i == 0 || !secret.get(i - 1)) {
                shown.append(HIDDEN);
            }
        }
        return shown.toString();
    }

    private BitSet secretPlaces(String text) {
        BitSet places = new BitSet();
        String lower = forms.isEmpty() ? text : lower(text);
        for (String form : forms) {
            for (int at = lower.indexOf(form); at >= 0; at = lower.indexOf(form, at + 1)) {
                places.set(at, at + form.length());
            }
        }
        return places;
    }
}
