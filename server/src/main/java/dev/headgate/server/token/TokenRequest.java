package dev.headgate.server.token;

import dev.headgate.internal.text.Text;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A token to be made: {@code TokenRequest.named("mailer").right(Right.ENQUEUE).queue("mail").lifetime(Duration.ofDays(90))}.
 * Each method returns another request.
 */
public record TokenRequest(
        String name,
        Set<Right> rights,
        List<String> queues,
        List<String> types,
        @Nullable Duration lifetime) {
    /** The longest life that can be asked for. */
    public static final Duration LIFETIME_MAX = Duration.ofDays(3_660);

    private static final int NAME_MAX = 200;
    private static final int PATTERNS_MAX = 50;

    public TokenRequest {
        if (name.isBlank() || name.length() > NAME_MAX) {
            throw new IllegalArgumentException(
                    "token: expected a name of 1 to %d characters that says what it is for, got %d characters"
                            .formatted(NAME_MAX, name.length()));
        }
        name = Text.storable(name, NAME_MAX);
        rights = Set.copyOf(rights);
        queues = patterns("queue", queues);
        types = patterns("type", types);
        if (lifetime != null && (lifetime.isNegative() || lifetime.isZero() || lifetime.compareTo(LIFETIME_MAX) > 0)) {
            throw new IllegalArgumentException(
                    "token '%s': expected a lifetime of more than zero and at most %d days, got %s"
                            .formatted(name, LIFETIME_MAX.toDays(), lifetime));
        }
    }

    /** A token that may do nothing yet, and never expires. */
    public static TokenRequest named(String name) {
        return new TokenRequest(name, Set.of(), List.of(), List.of(), null);
    }

    /** Gives one more right. */
    public TokenRequest right(Right right) {
        EnumSet<Right> all = EnumSet.of(right);
        all.addAll(rights);
        return new TokenRequest(name, all, queues, types, lifetime);
    }

    /** It may touch this queue, or with {@code *} at the end all queues that begin so; and no others than those that are named. */
    public TokenRequest queue(String pattern) {
        return new TokenRequest(name, rights, added(queues, pattern), types, lifetime);
    }

    /** The same for job types. */
    public TokenRequest type(String pattern) {
        return new TokenRequest(name, rights, queues, added(types, pattern), lifetime);
    }

    /** How long it gives access, from its making on. Default: for ever. */
    public TokenRequest lifetime(Duration span) {
        return new TokenRequest(name, rights, queues, types, span);
    }

    private static List<String> added(List<String> list, String one) {
        List<String> all = new ArrayList<>(list);
        all.add(one);
        return all;
    }

    private static List<String> patterns(String what, List<String> patterns) {
        if (patterns.size() > PATTERNS_MAX) {
            throw new IllegalArgumentException(
                    "token: expected at most %d %ss, got %d".formatted(PATTERNS_MAX, what, patterns.size()));
        }
        for (String pattern : patterns) {
            int star = pattern.indexOf('*');
            if (pattern.isBlank()
                    || pattern.indexOf('\n') >= 0
                    || pattern.length() > NAME_MAX
                    || (star >= 0 && star < pattern.length() - 1)) {
                throw new IllegalArgumentException(
                        "token: expected as %s a name, or the beginning of one with * at its end, got '%s'"
                                .formatted(what, Text.storable(pattern, NAME_MAX)));
            }
        }
        return List.copyOf(patterns);
    }
}
