package dev.headgate.limiter;

import dev.headgate.explain.Decision;
import dev.headgate.internal.admission.GateLedger;
import dev.headgate.internal.time.Micros;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A refusal: no start now. Nothing was taken and no place in a line was lost. Immutable, thread-safe. */
public final class Denied implements Limiter.Answer {
    private final long waitMicros;
    private final Supplier<String> reason;

    /**
     * Creates a refusal.
     *
     * @param waitMicros until time opens it, {@link GateLedger#UNTIL_RELEASE} or {@link GateLedger#NEVER}
     */
    public Denied(long waitMicros, Supplier<String> reason) {
        this.waitMicros = waitMicros;
        this.reason = reason;
    }

    /**
     * How long until time alone opens it; of several limits the one that takes longest. Null if a permit must
     * be given back first, or if it never opens. If a permit came too late for its limits, when to ask again.
     */
    public @Nullable Duration next() {
        return waitMicros >= GateLedger.UNTIL_RELEASE ? null : Micros.duration(waitMicros);
    }

    /** Whether it asked for more than the limiter can ever give. */
    public boolean isNever() {
        return waitMicros == GateLedger.NEVER;
    }

    /** The limit and its figures, such as {@code 5 of 5 in use (concurrency 5)}. */
    public String reason() {
        return reason.get();
    }

    /** The longer wait of the two. */
    static Denied later(@Nullable Denied one, Denied other) {
        return one == null || other.waitMicros > one.waitMicros ? other : one;
    }

    static String text(Decision decision) {
        return switch (decision) {
            case Decision.Admitted admitted -> "open by now";
            case Decision.Blocked blocked -> blocked.cause().text();
            case Decision.NeverFits never ->
                "%s (%s)".formatted(never.reason(), never.limit().text());
        };
    }

    @Override
    public String toString() {
        Duration next = next();
        return isNever() ? reason() + ", never" : reason() + (next == null ? "" : ", opens in " + next);
    }
}
