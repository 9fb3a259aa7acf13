package dev.headgate.internal.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.time.Micros;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Tokens a minute with estimates that are off by up to half: what a provider bills in any minute is at most the limit and
 * what the calls in flight were underestimated by, and the limit is nearly used up.
 */
class TokensAMinuteTest {
    private static final long SEED = Long.getLong("headgate.seed", 5_000L);
    private static final long LIMIT = 5_000;
    private static final long MINUTE = 60 * Micros.PER_SECOND;
    private static final long HOURS = 3;

    private record Call(long job, Start start, long estimate, long actual, long at, long ends) {}

    private final Random random = new Random(SEED);
    private final GateLedger gate =
            new GateLedger(GateKey.gate("llm"), GatePolicy.parse("window 5000/1m by-cost"), GateState.NEW);
    private final PriorityQueue<Call> running = new PriorityQueue<>(Comparator.comparingLong(Call::ends));
    private final List<Call> calls = new ArrayList<>();

    private void settleUntil(long now) {
        while (!running.isEmpty() && running.element().ends <= now) {
            Call done = running.remove();
            gate.settle(done.estimate, done.actual, done.start, done.ends);
            gate.release(done.job, done.actual, ReleaseKind.OK, done.start, done.ends);
        }
    }

    /** A backlog without end: each call starts as soon as the gate lets it. */
    private void play(long until) {
        long now = MINUTE;
        for (long job = 1; now < until; job++) {
            long estimate = 40L + random.nextInt(400);
            long opens = gate.opens(estimate, now);
            while (opens > now) {
                long end = running.isEmpty() ? Long.MAX_VALUE : running.element().ends;
                now = Math.min(opens, end);
                settleUntil(now);
                opens = gate.opens(estimate, now);
            }
            gate.take(new Waiter("l", 1, estimate, job, ""), false, gate.margin(), now);
            Start start = new Start(now, gate.margin());
            long actual = estimate / 2 + random.nextLong(estimate + 1);
            long at = now + random.nextLong(start.margin());
            Call call = new Call(job, start, estimate, actual, at, at + 20_000 + random.nextInt(3_000_000));
            calls.add(call);
            running.add(call);
        }
    }

    /** The calls of a minute that begins with this one, and what was not known of them when the last was granted. */
    private long over(int first) {
        long from = calls.get(first).at;
        List<Call> minute = calls.stream()
                .skip(first)
                .takeWhile(call -> call.at < from + MINUTE)
                .toList();
        long granted = minute.stream().mapToLong(call -> call.start.at()).max().orElseThrow();
        long billed = 0;
        long unknown = 0;
        for (Call call : minute) {
            billed += call.actual;
            unknown += call.ends > granted ? Math.max(0, call.actual - call.estimate) : 0;
        }
        return billed - unknown - LIMIT;
    }

    @Test
    void anyMinuteHoldsTheLimitAndWhatCallsInFlightWereUnderestimatedBy() {
        play(HOURS * 60 * MINUTE);
        calls.sort(Comparator.comparingLong(Call::at));
        long worst = Long.MIN_VALUE;
        for (int first = 0; first < calls.size(); first++) {
            worst = Math.max(worst, over(first));
        }
        assertThat(worst).as("-Dheadgate.seed=%d", SEED).isLessThanOrEqualTo(0);
        long billed = calls.stream().mapToLong(Call::actual).sum();
        assertThat(billed).as("nine tenths of what is allowed").isGreaterThan(HOURS * 60 * LIMIT * 9 / 10);
    }
}
