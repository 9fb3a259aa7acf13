package dev.headgate.machine;

import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * One way out of a state, or round in it; types are checked where it is written, not here.
 *
 * @param payload the type of what comes with the event; absent if nothing does
 * @param guard whether it may be taken; absent means always
 * @param update makes the next data; absent leaves them as they are
 * @param target the next state; absent to stay
 */
record Transition(
        @Nullable Class<?> payload,
        @Nullable BiPredicate<Object, @Nullable Object> guard,
        @Nullable BiFunction<Object, @Nullable Object, @Nullable Object> update,
        @Nullable String target) {

    boolean lets(Object data, @Nullable Object sent) {
        return guard == null || guard.test(data, sent);
    }

    Object next(Object data, @Nullable Object sent) {
        Object next = update == null ? data : update.apply(data, sent);
        if (next == null) {
            throw new IllegalStateException("expected 'then' to return the next data, got null");
        }
        return next;
    }

    @Override
    public String toString() {
        return "%s%s".formatted(guard == null ? "" : "? ", target == null ? "stay" : target);
    }
}
