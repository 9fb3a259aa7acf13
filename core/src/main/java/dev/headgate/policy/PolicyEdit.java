package dev.headgate.policy;

import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Retention;
import java.time.Duration;
import java.time.Instant;

/** What is asked for under one name. An edit that changes nothing makes no version. */
public sealed interface PolicyEdit {
    /** Stores the limits if nothing was ever stored here; what differs from them is a conflict. */
    record Declare(GatePolicy policy) implements PolicyEdit {}

    /** Stores the limits if nothing was ever stored here; what is or was stored stands. */
    record Suggest(GatePolicy policy) implements PolicyEdit {}

    /**
     * Stores the defaults of a job type if none ever were, or if those that are stored were written in this way too: what was set or removed
     * in any other way stands.
     */
    record Renew(GatePolicy policy) implements PolicyEdit {
        /** The author of all such changes. By this they are known. */
        public static final String AUTHOR = "worker";
    }

    /** Stores the limits, whatever is stored. */
    record Replace(GatePolicy policy) implements PolicyEdit {}

    /** Puts the limits in force until an instant of store time. */
    record OverrideUntil(GatePolicy policy, Instant until) implements PolicyEdit {}

    /** Puts the limits in force for a time that begins with the change. */
    record OverrideFor(GatePolicy policy, Duration span) implements PolicyEdit {}

    /** Ends an override before its time. */
    record EndOverride() implements PolicyEdit {}

    /** Keeps ended jobs of this queue for this long, unless they are kept longer already. */
    record Lengthen(Retention retention) implements PolicyEdit {}

    /** Takes away what is stored, an override too. */
    record Remove() implements PolicyEdit {}
}
