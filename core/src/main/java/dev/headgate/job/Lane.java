package dev.headgate.job;

import dev.headgate.internal.text.Names;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.TreeSet;

/**
 * The identity of a lane: one queue and the set of gates its jobs must pass. Jobs that get the same decision from every gate
 * share a lane, so a blocked head means a blocked lane and nothing else is hidden behind it.
 */
public record Lane(String queue, List<String> gates) {
    /** The queue of jobs that name none. */
    public static final String QUEUE_DEFAULT = "default";

    /** The most gates of one job. */
    public static final int GATES_MAX = 16;

    private static final MessageDigest SHA_256 = find();

    public Lane {
        Names.check("queue", queue);
        gates = gates.size() < 2 ? List.copyOf(gates) : List.copyOf(new TreeSet<>(gates));
        if (gates.size() > GATES_MAX) {
            throw new IllegalArgumentException(
                    "gates: expected at most %d gates on one job, got %d".formatted(GATES_MAX, gates.size()));
        }
        gates.forEach(gate -> Names.check("gate", gate));
    }

    /** A lane without gates: the queue's default lane, which needs no row and no lock of its own. */
    public boolean isPlain() {
        return gates.isEmpty();
    }

    /**
     * Of a plain lane its queue, so that the index of lanes tells which queues have such jobs. Else 128 bits of SHA-256 as text,
     * which has no colon. Enqueue can name a lane without reading or writing a lane row; each part is prefixed
     * by its length, so no choice of names makes two lanes alike.
     */
    public String id() {
        if (isPlain()) {
            return plainId(queue);
        }
        MessageDigest digest = sha256();
        add(digest, queue);
        gates.forEach(gate -> add(digest, gate));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(digest.digest(), 16));
    }

    /** The id of the lane without gates. For a beginning of names: the beginning of such ids. */
    public static String plainId(String queue) {
        return "q:" + queue;
    }

    private static void add(MessageDigest digest, String part) {
        byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
        digest.update((byte) (bytes.length >> 8));
        digest.update((byte) bytes.length);
        digest.update(bytes);
    }

    /** A copy of one that was found once: looking for a provider costs more than the digest. */
    private static MessageDigest sha256() {
        try {
            return (MessageDigest) SHA_256.clone();
        } catch (CloneNotSupportedException unable) {
            throw new IllegalStateException("SHA-256 of every Java platform can be copied", unable);
        }
    }

    private static MessageDigest find() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every Java platform has SHA-256", missing);
        }
    }
}
