package dev.headgate.spi;

import dev.headgate.spi.JournalTable.Entry;
import dev.headgate.spi.JournalTable.Link;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * How far the journal of one gate goes. Each entry has the number after the one before it, and a hash over that one's hash and
 * itself, so an entry that is changed, added or taken away later does not fit those behind it.
 *
 * @param count the number of the last entry; 0 before the first
 * @param head the hash of the last entry; empty before the first
 * @param keepUntil until when the last entry is kept. No later one is kept for less, so entries go in their order
 */
public record JournalChain(long count, String head, long keepUntil) {
    /** Before the first entry. */
    public static final JournalChain NONE = new JournalChain(0, "", 0);

    private static final String FORM = "headgate journal 1";

    /** This entry as the next one. */
    public Entry link(Entry entry) {
        long until = Math.max(keepUntil, entry.link().keepUntil());
        Entry next = entry.with(new Link(until, count + 1, ""));
        return next.with(new Link(until, count + 1, hash(head, next)));
    }

    /** The chain with an entry that {@link #link} has made. */
    public JournalChain with(Entry linked) {
        return new JournalChain(
                linked.link().number(), linked.link().hash(), linked.link().keepUntil());
    }

    /**
     * SHA-256 in hexadecimal digits over the hash before it and all that the entry says, but for the id, which the store gives. Texts
     * go in as UTF-8 with their length before them, numbers as eight bytes: no two entries go in as the same bytes.
     */
    public static String hash(String before, Entry entry) {
        byte[][] texts = {
            bytes(FORM),
            bytes(before),
            bytes(entry.gate().text()),
            bytes(entry.event().kind().name()),
            bytes(entry.rule().policy())
        };
        long[] numbers = {
            entry.link().number(),
            entry.event().at(),
            entry.event().starts(),
            entry.event().units(),
            entry.use().leases(),
            entry.use().units(),
            entry.event().startedAt(),
            entry.event().margin(),
            entry.rule().version(),
            entry.link().keepUntil()
        };
        int size = numbers.length * Long.BYTES;
        for (byte[] text : texts) {
            size += Integer.BYTES + text.length;
        }
        ByteBuffer buffer = ByteBuffer.allocate(size);
        for (byte[] text : texts) {
            buffer.putInt(text.length).put(text);
        }
        for (long number : numbers) {
            buffer.putLong(number);
        }
        return HexFormat.of().formatHex(sha256().digest(buffer.array()));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }
}
