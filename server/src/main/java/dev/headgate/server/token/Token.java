package dev.headgate.server.token;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the bearer of one secret may do. The secret itself is not in it, and stored nowhere.
 *
 * @param id names the token in lists and commands; it gives no access
 * @param name what it is for, in its owner's words
 * @param queues the queues that it may touch, such as {@code mail} or {@code site:*}; empty if it may touch all
 * @param types the job types that it may touch; empty if it may touch all except {@code shell}, which must be named
 * @param expiresAt from this instant on it gives no access; absent if it never expires
 * @param usedAt about when it was last used, to the minute; absent if never
 */
public record Token(
        String id,
        String name,
        Set<Right> rights,
        List<String> queues,
        List<String> types,
        Instant createdAt,
        @Nullable Instant expiresAt,
        @Nullable Instant usedAt) {
    /** Jobs of this type run any command, so a token must name the type to enqueue them. */
    static final String SHELL = "shell";

    public Token {
        rights = Set.copyOf(rights);
        queues = List.copyOf(queues);
        types = List.copyOf(types);
    }

    /** Whether it gives this right. {@link Right#ADMIN} gives all. */
    public boolean has(Right right) {
        return rights.contains(right) || rights.contains(Right.ADMIN);
    }

    /** Whether it may touch only some queues or types: then it touches nothing that others share, such as gates and policies. */
    public boolean isScoped() {
        return !queues.isEmpty() || !types.isEmpty();
    }

    /** Whether it may touch jobs of this queue. */
    public boolean coversQueue(String queue) {
        return queues.isEmpty() || queues.stream().anyMatch(pattern -> matches(pattern, queue));
    }

    /** Whether it may touch jobs of this type. */
    public boolean coversType(String type) {
        return types.isEmpty() || types.stream().anyMatch(pattern -> matches(pattern, type));
    }

    /** Whether it may touch jobs of this queue and type. */
    public boolean covers(String queue, String type) {
        return coversQueue(queue) && coversType(type);
    }

    /** Whether it may bring jobs of this type in, or run them. */
    public boolean admitsType(String type) {
        return type.equals(SHELL) ? types.contains(SHELL) : coversType(type);
    }

    private static boolean matches(String pattern, String name) {
        return pattern.endsWith("*")
                ? name.startsWith(pattern.substring(0, pattern.length() - 1))
                : pattern.equals(name);
    }
}
