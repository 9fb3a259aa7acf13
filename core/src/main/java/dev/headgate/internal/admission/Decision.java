package dev.headgate.internal.admission;

import dev.headgate.limit.GateKey;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The answer of all gates together to one job that wants to start. */
public sealed interface Decision {
    Decision ADMITTED = new Admitted();

    /** The rule of a block by those who wait already. */
    String LINE = "line";

    /** Every limit agreed. */
    record Admitted() implements Decision {}

    /**
     * One gate says not now.
     *
     * @param gate the gate that blocks; of several, the one that will open last
     * @param rule the limit in its text form, {@code line} behind older jobs, or {@code reservation}
     * @param figures the numbers behind the answer, such as {@code 5 of 5 in use}
     * @param next the exact instant at which time alone opens the gate; absent if somebody must release first
     */
    record Blocked(
            GateKey gate,
            String rule,
            String figures,
            @Nullable Instant next) implements Decision {
        /** Of two blocks the one that lasts longer; a release has no known end and counts as the longest. */
        static Blocked later(@Nullable Blocked one, Blocked other) {
            if (one == null) {
                return other;
            }
            Instant first = one.next();
            Instant second = other.next();
            if (first == null || second == null) {
                return first == null ? one : other;
            }
            return second.isAfter(first) ? other : one;
        }

        @Override
        public String toString() {
            return "%s: %s (%s)%s".formatted(gate, figures, rule, next == null ? "" : ", opens " + next);
        }
    }

    /** The job asks for more than this gate can ever give; it is refused or parked, and blocks nobody. */
    record NeverFits(GateKey gate, String rule, String reason) implements Decision {
        @Override
        public String toString() {
            return "%s (%s): %s".formatted(gate, rule, reason);
        }
    }
}
