package dev.headgate.spi;

import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An answer of the store that may still be on its way.
 *
 * <p>{@link #get} may cost a round trip: it sends the question if nothing else has sent it meanwhile. A question travels with
 * the next statement that needs its answer at once, or with the commit. So ask everything first and read then. After the
 * commit every answer is there. Not thread-safe.
 *
 * @param <T> what is answered
 */
public final class Pending<T> {
    private final Supplier<T> source;
    private @Nullable T answer;

    private Pending(Supplier<T> source, @Nullable T answer) {
        this.source = source;
        this.answer = answer;
    }

    /** An answer that is there already. */
    public static <T> Pending<T> of(T answer) {
        return new Pending<>(() -> answer, answer);
    }

    /**
     * An answer that may have to be waited for.
     *
     * @param source waits for it; called once at most
     */
    public static <T> Pending<T> from(Supplier<T> source) {
        return new Pending<>(source, null);
    }

    /** Waits for the answer if it is not there yet. */
    public T get() {
        T known = answer;
        if (known == null) {
            known = source.get();
            answer = known;
        }
        return known;
    }

    /** What this function makes of the answer. Waits for nothing: the function runs when the result is read. */
    public <R> Pending<R> map(Function<T, R> function) {
        return from(() -> function.apply(get()));
    }
}
