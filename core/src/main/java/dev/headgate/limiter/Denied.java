package dev.headgate.limiter;

import dev.headgate.explain.Decision;
import dev.headgate.internal.admission.GateLedger;
import dev.headgate.internal.time.Micros;
import dev.headgate.limit.Hold;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A refusal: no start now. Nothing was taken and no place in a line was lost. Immutable, thread-safe. */
public final class Denied implements Limiter.Answer, CustomLimit.Answer {
    private final long waitMicros;
    private final Supplier<String> reason;

    /** @param waitMicros until time opens it, {@link GateLedger#UNTIL_RELEASE} or {@link GateLedger#NEVER} */
    Denied(long waitMicros, Supplier<String> reason) {
        this.waitMicros = waitMicros;
        this.reason = reason;
    }

    /**
     * Time opens it.
     *
     * @param next how long that takes, zero or more; less than a microsecond is one, more than 366 days is 366 days
     * @param reason the limit and its figures, such as {@code 50 of 50 pages today}
     */
    public static Denied after(Duration next, String reason) {
        if (next == null || next.isNegative()) {
            throw new IllegalArgumentException(
                    "denied: expected how long until time opens it, zero or more, got %s; if something must be given back first, say untilRelease"
                            .formatted(next));
        }
        long micros = Math.max(1, Micros.of(Hold.bounded(next)));
        return of(micros, reason);
    }

    /** Something must be given back before it opens. */
    public static Denied untilRelease(String reason) {
        return of(GateLedger.UNTIL_RELEASE, reason);
    }

    /** It can never give as much as was asked for. */
    public static Denied never(String reason) {
        return of(GateLedger.NEVER, reason);
    }

    private static Denied of(long waitMicros, String reason) {
        if (reason == null || reason.isBlank()) {
            throw new IllegalArgumentException("denied: expected a reason, such as '3 of 3 seats are taken', got %s"
                    .formatted(reason == null ? "null" : "none"));
        }
        return new Denied(waitMicros, () -> reason);
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
    static Denied later(Denied one, @Nullable Denied other) {
        return other != null && other.waitMicros >= one.waitMicros ? other : one;
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
