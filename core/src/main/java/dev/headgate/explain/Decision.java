package dev.headgate.explain;

import dev.headgate.limit.Budget;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.Hold;
import dev.headgate.limit.Limit;
import dev.headgate.limit.Quota;
import dev.headgate.limit.Rate;
import dev.headgate.limit.Window;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The answer of gates to a job that wants to start. */
public sealed interface Decision {
    Decision ADMITTED = new Admitted();

    /** Every limit lets it pass. */
    record Admitted() implements Decision {}

    /**
     * One gate says not now.
     *
     * @param gate the gate that blocks; of several, the one that opens last
     * @param next the exact instant at which time alone opens the gate; absent if something must be released first
     */
    record Blocked(GateKey gate, Cause cause, @Nullable Instant next) implements Decision {
        /** Of two blocks the one that lasts longer; a release has no known end and counts as the longest. */
        public static Blocked later(@Nullable Blocked one, Blocked other) {
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
            return "%s: %s%s".formatted(gate, cause.text(), next == null ? "" : ", opens " + next);
        }
    }

    /**
     * The job asks for more than this gate can ever give. It is refused or parked, and blocks no other job.
     *
     * @param limit the limit that it can never pass
     * @param cost units of the job at this gate
     * @param most units that the limit gives while nothing is used
     */
    record NeverFits(GateKey gate, Limit limit, long cost, long most) implements Decision {
        /** Why, as a clause about the job, such as {@code costs 9 units, the budget is 5}. */
        public String reason() {
            String bound =
                    switch (limit) {
                        case Budget budget -> "budget is";
                        case Rate rate -> "burst is";
                        case Quota quota -> "quota is";
                        case Window window -> "window holds";
                        default -> "most is";
                    };
            return "costs %d units, the %s %d".formatted(cost, bound, most);
        }

        @Override
        public String toString() {
            return "%s (%s): %s".formatted(gate, limit.text(), reason());
        }
    }

    /** What keeps a gate shut. */
    sealed interface Cause {
        /**
         * A limit is used up.
         *
         * @param used what counts against it now: leases, starts or units of cost; 1 of a distance between starts
         * @param most what it allows now
         * @param figures both in words, such as {@code 5 of 5 in use}
         */
        record AtLimit(Limit limit, long used, long most, String figures) implements Cause {}

        /** The gate is paused until it is resumed. */
        record Paused() implements Cause {}

        /** The gate is held shut, by hand or after a rejection. */
        record Held(Hold hold) implements Cause {}

        /** A hold is over, and one job tries whether the gate is open again. */
        record Probing() implements Cause {}

        /**
         * Other lanes are before this one in the gate's line.
         *
         * @param isShared whether shares take turns in it, so that those before it need not be older
         */
        record InLine(boolean isShared) implements Cause {}

        /** What is free is kept for an older job that needs several gates. */
        record Reserved() implements Cause {}

        /** The limit in its text form, or one word for any other cause. */
        default String rule() {
            return switch (this) {
                case AtLimit full -> full.limit().text();
                case Paused paused -> "paused";
                case Held held -> "hold";
                case Probing probing -> "probe";
                case InLine line -> "line";
                case Reserved reserved -> "reservation";
            };
        }

        /** The numbers or the reason behind it, such as {@code 5 of 5 in use}. */
        default String figures() {
            return switch (this) {
                case AtLimit full -> full.figures();
                case Paused paused -> "paused until somebody resumes it";
                case Held held -> held.hold().figures();
                case Probing probing -> "one job tries whether it is open again";
                case InLine line -> line.isShared() ? "others are before it here" : "older jobs wait here";
                case Reserved reserved -> "kept for an older job of several gates";
            };
        }

        /** Both, such as {@code 5 of 5 in use (concurrency 5)}. */
        default String text() {
            return "%s (%s)".formatted(figures(), rule());
        }
    }
}
