package dev.headgate.builtin;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads one HTTP/1.1 response, and of its body no more than is kept: an endless one costs no more than a short one. What
 * cannot be read is not quoted in an error, because it may repeat secrets of the request.
 */
final class ResponseReader {
    private static final int HEAD_BYTES_MAX = 64 * 1024;
    private static final int INTERIM_MAX = 20;
    private static final int SWITCHING_PROTOCOLS = 101;
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.([01]) ([1-9]\\d\\d)(?: .*)?", Pattern.DOTALL);
    private static final Pattern CHUNK = Pattern.compile("([0-9a-fA-F]{1,15})\\s*(?:;.*)?", Pattern.DOTALL);
    private static final Pattern LENGTH = Pattern.compile("\\d{1,18}");

    private final InputStream in;
    private final int bytesMax;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();

    ResponseReader(InputStream in, int bytesMax) {
        this.in = in;
        this.bytesMax = bytesMax;
    }

    /** @param isHead whether the request was HEAD, which has no body in its answer */
    Response read(boolean isHead) throws IOException {
        for (int interim = 0; interim < INTERIM_MAX; interim++) {
            Matcher line = STATUS.matcher(line(HEAD_BYTES_MAX));
            if (!line.matches()) {
                throw new ProtocolException("its first line is not that of HTTP/1.1");
            }
            int status = Integer.parseInt(line.group(2));
            Map<String, List<String>> headers = headers();
            if (status == SWITCHING_PROTOCOLS) {
                throw new ProtocolException("it changes the protocol without being asked to");
            }
            if (status >= 200) {
                return withBody(status, headers, isHead, line.group(1).equals("1"));
            }
        }
        throw new ProtocolException("it says again and again that it has begun");
    }

    private Response withBody(int status, Map<String, List<String>> headers, boolean isHead, boolean isPersistent)
            throws IOException {
        boolean isToBeClosed = !isPersistent || words(headers, "connection").contains("close");
        if (isHead || status == 204 || status == 304) {
            return new Response(status, headers, body(false), !isToBeClosed);
        }
        if (headers.containsKey("transfer-encoding")) {
            if (!words(headers, "transfer-encoding").equals(List.of("chunked"))) {
                throw new ProtocolException("its Transfer-Encoding is not chunked");
            }
            boolean isCut = !takeChunks();
            boolean isClear = !headers.containsKey("content-length");
            return new Response(status, headers, body(isCut), !isCut && isClear && !isToBeClosed);
        }
        if (headers.containsKey("content-length")) {
            boolean isCut = !take(length(headers));
            return new Response(status, headers, body(isCut), !isCut && !isToBeClosed);
        }
        return new Response(status, headers, body(!takeRest()), false);
    }

    private KeptBody body(boolean isCut) {
        return new KeptBody(ByteBuffer.wrap(kept.toByteArray()).asReadOnlyBuffer(), isCut);
    }

    /** The words of a list, in lower case. */
    private static List<String> words(Map<String, List<String>> headers, String name) {
        return headers.getOrDefault(name, List.of()).stream()
                .flatMap(value -> List.of(value.split(",", -1)).stream())
                .map(word -> word.strip().toLowerCase(Locale.ROOT))
                .toList();
    }

    private static long length(Map<String, List<String>> headers) throws ProtocolException {
        List<String> lengths =
                words(headers, "content-length").stream().distinct().toList();
        if (lengths.size() != 1 || !LENGTH.matcher(lengths.getFirst()).matches()) {
            throw new ProtocolException("its Content-Length is not one number");
        }
        return Long.parseLong(lengths.getFirst());
    }

    private Map<String, List<String>> headers() throws IOException {
        Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        List<String> last = new ArrayList<>();
        int left = HEAD_BYTES_MAX;
        for (String line = line(left); !line.isEmpty(); line = line(left)) {
            left -= line.length() + 2;
            int colon = line.indexOf(':');
            boolean isContinued = line.charAt(0) == ' ' || line.charAt(0) == '\t';
            if (isContinued && !last.isEmpty()) {
                last.set(last.size() - 1, (last.getLast() + " " + line.strip()).strip());
            } else if (!isContinued && colon > 0) {
                last = headers.computeIfAbsent(line.substring(0, colon).strip(), name -> new ArrayList<>());
                last.add(line.substring(colon + 1).strip());
            } else {
                throw new ProtocolException("one of its headers has no name");
            }
        }
        return headers;
    }

    /** A line without its end, each byte as a character. */
    private String line(int lengthMax) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the connection ended too early");
            }
            if (line.length() >= lengthMax) {
                throw new ProtocolException("its headers have more than %d bytes".formatted(HEAD_BYTES_MAX));
            }
            line.append((char) next);
        }
        boolean hasReturn = !line.isEmpty() && line.charAt(line.length() - 1) == '\r';
        return hasReturn ? line.substring(0, line.length() - 1) : line.toString();
    }

    /** False if there is more than is kept. */
    private boolean takeChunks() throws IOException {
        while (true) {
            Matcher size = CHUNK.matcher(line(HEAD_BYTES_MAX));
            if (!size.matches()) {
                throw new ProtocolException("the size of a chunk is not a number");
            }
            long length = Long.parseLong(size.group(1), 16);
            if (length == 0) {
                headers(); // trailers
                return true;
            }
            if (!take(length)) {
                return false;
            }
            if (!line(HEAD_BYTES_MAX).isEmpty()) {
                throw new ProtocolException("a chunk is longer than its size");
            }
        }
    }

    private boolean take(long length) throws IOException {
        int wanted = (int) Math.min(length, bytesMax - kept.size());
        byte[] bytes = in.readNBytes(wanted);
        kept.writeBytes(bytes);
        if (bytes.length < wanted) {
            throw new EOFException("the connection ended too early");
        }
        return wanted == length;
    }

    private boolean takeRest() throws IOException {
        kept.writeBytes(in.readNBytes(bytesMax - kept.size()));
        return kept.size() < bytesMax || in.read() < 0;
    }
}
