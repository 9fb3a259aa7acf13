package dev.headgate.proof.simulation;

import dev.headgate.internal.time.Micros;
import dev.headgate.testkit.VirtualTime;
import java.util.ArrayList;
import java.util.List;

/**
 * The world of one seed: how many of what, how large, how often.
 *
 * @param isGentle no fault takes time away from a process, and no handler ignores its interruption; then handlers of one job
 *     never meet (I7)
 * @param runsMax how many runs of workflows may be under way before no more are started; 0 in a world without
 * @param limiters how many take places at gates without a job; 0 in a world without
 * @param lockedPerMille how many of the lanes and gates that a claim takes only if they are free are locked by another transaction
 * @param lagPerMille how many starts take 0.1 to 0.6 s from their grant to their handler; the others take 10 ms at most
 * @param delays what takes long beyond the way to the store and back
 * @param policies the first limits, as {@code gate g: concurrency 2}
 */
public record Options(
        long seed,
        boolean isGentle,
        int hosts,
        int workersPerHost,
        int slots,
        boolean isPoolMoving,
        long leaseNanos,
        long drainNanos,
        long pollNanos,
        long runNanosMax,
        int failPercent,
        int deafPerMille,
        int clients,
        long clientEveryNanos,
        int batchMax,
        int liveMax,
        int gateCount,
        long faultEveryNanos,
        int latencyPerMille,
        long latencyNanosMax,
        long startMicros,
        int runsMax,
        long runEveryNanos,
        int limiters,
        long limiterEveryNanos,
        int lockedPerMille,
        int lagPerMille,
        Delays delays,
        List<String> policies) {
    private static final long MILLI = 1_000_000;

    static final List<String> QUEUES = List.of("a", "b", "c");

    /** Every kind of limit, alone and with others; the quotas are taken away before the world is healed. */
    static final List<String> LIMITS = List.of(
            "concurrency 1",
            "concurrency 2",
            "concurrency 4; rate 40/1s burst 4",
            "budget 3",
            "budget 6; concurrency 3",
            "rate 30/1s burst 1",
            "rate 70/3s burst 5",
            "rate 90/1s burst 9 by-cost",
            "rate 40/1s burst 6 by-cost; concurrency 4",
            "window 25/1s",
            "window 60/2s by-cost; concurrency 3",
            "spaced 40/1s",
            "spaced 80/1s by-cost",
            "delay 21ms; spaced 30/1s; concurrency 2",
            "adaptive 1..4",
            "quota 60/hour UTC",
            "quota 200/hour UTC by-cost; concurrency 3",
            "window 12/1s margin 80ms",
            "window 10/1s margin 300ms; concurrency 4",
            "window 9/500ms margin end",
            "window 30/1s by-cost margin end; concurrency 6",
            "window 40/2s margin none",
            "rate 30/1s burst 6 margin 150ms",
            "rate 60/1s burst 12 by-cost margin 100ms",
            "rate 40/1s burst 5 margin end",
            "rate 25/1s burst 3 margin 40ms; window 15/1s margin 120ms",
            "spaced 20/1s margin 20ms",
            "spaced 15/1s margin end",
            "spaced 60/1s by-cost margin 60ms",
            "delay 25ms margin 24ms; spaced 30/1s margin none; concurrency 3",
            "quota 50/hour UTC margin end",
            "quota 40/hour UTC margin 200ms; concurrency 4",
            "quota 60/hour UTC margin none",
            "concurrency 3; fair by t:*",
            "budget 7; fair by t:* by-cost",
            "concurrency 2; fair by t:* by-time",
            "rate 50/1s burst 3; window 90/4s; concurrency 5",
            "concurrency 2; shadow window 5/1s; journal 9s",
            "backlog 40 reject",
            "backlog 30 drop-oldest; concurrency 3",
            "");

    static Options of(long seed) {
        Dice dice = Dice.of(seed, 1);
        Dice runs = Dice.of(seed, 3); // of their own, so that a world without runs is as it always was
        Dice limiters = Dice.of(seed, 4);
        Dice locks = Dice.of(seed, 5);
        Dice calls = Dice.of(seed, 7);
        Delays delays = Delays.of(seed);
        boolean isGentle = dice.oneIn(5);
        long lease = dice.spread(1_000, 6_000) * MILLI;
        int gates = 1 + dice.below(6);
        List<String> policies = new ArrayList<>();
        for (String key : keys(gates)) {
            if (!dice.oneIn(3)) {
                policies.add(key + ": " + withBackOff(dice.pick(LIMITS)));
            }
        }
        return new Options(
                seed,
                isGentle,
                1 + dice.below(5),
                1 + dice.below(2),
                1 + dice.below(16),
                dice.oneIn(6),
                lease,
                dice.oneIn(4) ? 0 : dice.spread(100, 3_000) * MILLI,
                dice.spread(500, 5_000) * MILLI,
                runNanosMax(dice, delays, lease),
                dice.oneIn(3) ? 25 : dice.below(10),
                isGentle ? 0 : dice.below(60),
                1 + dice.below(3),
                dice.spread(30, 600) * MILLI,
                1 + dice.below(dice.oneIn(4) ? 20 : 6),
                30 + dice.below(150),
                gates,
                dice.spread(40, 400) * MILLI,
                dice.oneIn(3) ? 0 : dice.below(60),
                dice.spread(1, isGentle ? 20 : 200) * MILLI,
                Micros.of(VirtualTime.START) + intoHour(dice, calls),
                runs.oneIn(3) ? 0 : 1 + runs.below(12),
                runs.spread(20, 400) * MILLI,
                limiters.oneIn(3) ? 0 : 1 + limiters.below(3),
                limiters.spread(20, 400) * MILLI,
                locks.oneIn(2) ? 0 : (int) locks.spread(2, 500),
                calls.oneIn(4) ? 0 : (int) calls.spread(5, 200),
                delays,
                List.copyOf(policies));
    }

    /** Where heartbeats are slow, some handlers take as long as a lease: else none would outlive one. */
    private static long runNanosMax(Dice dice, Delays delays, long lease) {
        long most = dice.spread(20, dice.oneIn(8) ? 20_000 : 600) * MILLI;
        return delays.beatPerMille() > 0 ? Math.max(most, lease * 3 / 2) : most;
    }

    /** Some worlds begin shortly before a full hour, where quotas begin anew. */
    private static long intoHour(Dice dice, Dice calls) {
        long any = dice.between(0, 3_600_000_000L);
        return calls.oneIn(3) ? 3_600_000_000L - calls.spread(1_000_000, 30_000_000) : any;
    }

    static List<String> gates(int count) {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(i % 2 == 0 ? "g" + i : "t:" + i);
        }
        return all;
    }

    static List<String> keys(int gateCount) {
        List<String> keys = new ArrayList<>();
        QUEUES.forEach(queue -> keys.add("queue " + queue));
        gates(gateCount).forEach(gate -> keys.add("gate " + gate));
        keys.add("gate t:*");
        return keys;
    }

    /** A gate that was rejected again and again must open in a time that a simulation can wait for. */
    static String withBackOff(String limits) {
        return limits.isEmpty() ? limits : limits + "; back-off 50ms x2 max 900ms";
    }

    /** All of it, for people. */
    public String text() {
        return toString();
    }
}
