package dev.headgate;

import dev.headgate.limit.BackOff;
import dev.headgate.limit.BacklogCap;
import dev.headgate.limit.FairShare;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Limit;
import dev.headgate.limit.PolicyOptions;
import dev.headgate.limit.Retention;
import dev.headgate.limit.TypePolicy;
import dev.headgate.policy.PolicyEdit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The limits of one gate or queue; all of them must agree before a job starts. Limits come from the static methods of
 * {@link Limit}: {@code q.maxInFlight(20).limit(rate(100).per(ofMinutes(1)).burst(10))}.
 */
public final class PolicyBuilder {
    private final List<Limit> limits = new ArrayList<>();
    private final List<Limit> shadows = new ArrayList<>();
    private BackOff backOff = BackOff.DEFAULT;
    private PolicyOptions options = PolicyOptions.NONE;
    private final Problems faults = new Problems();
    private @Nullable Function<GatePolicy, PolicyEdit> override;

    PolicyBuilder() {}

    /** At most this many jobs run at once; the same as {@code limit(concurrency(jobs))}. */
    public PolicyBuilder maxInFlight(long jobs) {
        faults.collect(() -> limits.add(Limit.concurrency(jobs)));
        return this;
    }

    /**
     * Adds a limit: {@code limit(rate(100).per(ofMinutes(1)).burst(10))}; at most one of each kind, and one rate or
     * window of each period and unit.
     */
    public PolicyBuilder limit(Limit limit) {
        limits.add(limit);
        return this;
    }

    /** A limit that is only tried: it counts the starts that it would have blocked, and blocks none. */
    public PolicyBuilder shadow(Limit limit) {
        shadows.add(limit);
        return this;
    }

    /** How long the gate stays shut when it is rejected again and again, as with a 429. */
    public PolicyBuilder backOff(BackOff span) {
        this.backOff = span;
        return this;
    }

    /** How many jobs may wait here, and what becomes of one too many: {@code backlog(BacklogCap.reject(1000))}. */
    public PolicyBuilder backlog(BacklogCap cap) {
        options = options.with(cap);
        return this;
    }

    /** Shares this queue or gate among the gates that match, such as {@code tenant:*}, each by its weight. */
    public PolicyBuilder fairBy(String pattern) {
        return fairBy(pattern, FairShare.Charge.JOBS);
    }

    /** The same, with what a start costs its key. */
    public PolicyBuilder fairBy(String pattern, FairShare.Charge charge) {
        faults.collect(() -> options = options.with(new FairShare(pattern, charge)));
        return this;
    }

    /** The share of this gate where others share by it. Default: 1. */
    public PolicyBuilder weight(int share) {
        faults.collect(() -> options = options.withWeight(share));
        return this;
    }

    /** Keeps a journal of what starts here for this long; {@code headgate verify-history} checks it. Default: no journal. */
    public PolicyBuilder journal(Duration kept) {
        faults.collect(() -> options = options.withJournal(kept));
        return this;
    }

    /**
     * How long ended jobs of this queue are kept; under the name {@code *}, those of all queues without a retention of their own.
     * Default: seven days.
     */
    public PolicyBuilder retention(Duration kept) {
        faults.collect(() -> options = options.with(new Retention(kept)));
        return this;
    }

    /** Ended jobs of this queue are never deleted by themselves. */
    public PolicyBuilder keepForever() {
        options = options.with(Retention.FOREVER);
        return this;
    }

    /**
     * Gates that each job of the type must name; of a name that ends in {@code *}, one with that beginning. An enqueue without them is
     * refused. Only in the policy of a job type.
     */
    public PolicyBuilder requires(String... gates) {
        faults.collect(() ->
                options = options.with(TypePolicy.requiring(List.of(gates)).and(options.type())));
        return this;
    }

    /**
     * Limits as commands and configuration write them: {@code concurrency 3; rate 20/1s burst 5; shadow window 50/1m;
     * back-off 1s x2 max 10m}.
     */
    public PolicyBuilder limits(String text) {
        faults.collect(() -> {
            GatePolicy policy = GatePolicy.parse(text);
            limits.addAll(policy.limits());
            shadows.addAll(policy.shadows());
            if (!policy.backOff().equals(BackOff.DEFAULT)) {
                backOff = policy.backOff();
            }
            options = options.and(policy.options());
        });
        return this;
    }

    /**
     * Makes this an override: these limits are in force from now until the instant, by the store's clock, and then what is
     * stored is back, exactly. An override conflicts with nothing, and a later one takes its place.
     */
    public PolicyBuilder until(Instant end) {
        JobOptions.checkInstant(faults, "until", end);
        override = policy -> new PolicyEdit.OverrideUntil(policy, end);
        return this;
    }

    /** Like {@link #until(Instant)}, for a time that begins now. */
    public PolicyBuilder until(Duration fromNow) {
        JobOptions.checkSpan(faults, "until", fromNow, false);
        override = policy -> new PolicyEdit.OverrideFor(policy, fromNow);
        return this;
    }

    PolicyEdit build(GateKey key, Function<GatePolicy, PolicyEdit> mode) {
        long kinds = limits.stream().map(limit -> limit.key(limits)).distinct().count();
        faults.expect(
                kinds == limits.size(),
                () ->
                        "expected at most one limit of each kind, one rate or window of each period and unit, and no distance twice, got "
                                + Limit.textOf(limits));
        GatePolicy[] policy = {GatePolicy.OPEN};
        // A limit that cannot be read is one complaint, not also a missing one.
        if (faults.isEmpty()) {
            faults.expect(
                    !limits.isEmpty() || !shadows.isEmpty() || !options.equals(PolicyOptions.NONE),
                    () -> "expected at least one limit; to lift all limits, remove the policy");
            faults.collect(() -> policy[0] = new GatePolicy(limits, shadows, backOff, options));
            faults.collect(() -> policy[0].checkMargins());
        }
        faults.throwIfAny("policy of " + key);
        return (override == null ? mode : override).apply(policy[0]);
    }
}
