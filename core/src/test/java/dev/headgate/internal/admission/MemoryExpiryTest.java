package dev.headgate.internal.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.explain.Decision;
import dev.headgate.internal.admission.GateState.Stored;
import dev.headgate.internal.time.Micros;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A gate that is as new answers as one that has no memory at all, whatever happens next. */
class MemoryExpiryTest {
    private static final long SECOND = Micros.PER_SECOND;
    private static final long START = 1_700_000_000 * SECOND;
    private static final GateKey KEY = GateKey.gate("tenant:a");
    private static final Stored NOTHING = new Stored(0, 0, "");

    private static Stored stored(GateLedger ledger) {
        GateState state = ledger.state();
        return new Stored(state.leases(), state.units(), state.memory());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "concurrency 2",
                "budget 9",
                "adaptive 1..4",
                "rate 7/3s burst 4",
                "rate 3/10s burst 9 by-cost margin none",
                "rate 5/10s burst 5 margin 300ms",
                "rate 5/10s burst 5 margin end",
                "window 4/5s",
                "window 9/20s by-cost margin 1s",
                "window 3/10s margin end; concurrency 2",
                "spaced 2/5s",
                "spaced 8/5s by-cost margin 200ms",
                "delay 4s margin none",
                "quota 5/hour UTC",
                "quota 9/hour UTC by-cost margin 2s",
                "quota 4/hour UTC margin end",
                "concurrency 3; shadow window 2/5s; back-off 1s x2 max 1m"
            })
    void answersAsOneWithoutAMemory(String limits) {
        GatePolicy policy = GatePolicy.parse(limits);
        int forgotten = 0;
        for (int seed = 0; seed < 300; seed++) {
            Random dice = new Random(seed);
            long now = START + dice.nextLong(7_200 * SECOND);
            Stored kept = NOTHING;
            for (int i = 0; i < 1 + dice.nextInt(6); i++) {
                now += dice.nextLong(3 * SECOND);
                kept = startAndEnd(policy, kept, dice, now);
            }
            for (int i = 0; i < 40; i++) {
                now += dice.nextLong(i < 30 ? 4 * SECOND : 1_800 * SECOND);
                if (i == 35) {
                    now += MemoryExpiry.LEARNT_KEPT;
                }
                if (MemoryExpiry.isAsNew(KEY, policy, kept, false, now)) {
                    forgotten++;
                    assertAlike(policy, kept, new Random(seed), now);
                    break;
                }
            }
        }
        assertThat(forgotten).as("gates that became as new").isGreaterThan(290);
    }

    private static Stored startAndEnd(GatePolicy policy, Stored stored, Random dice, long now) {
        GateLedger ledger = GateLedger.restore(KEY, policy, stored, now);
        long cost = 1L + dice.nextInt(3);
        if (ledger.checkLimits(new Waiter("", 0, cost), now) instanceof Decision.Admitted) {
            long margin = ledger.margin(cost, now);
            Start start = new Start(ledger.clock(now), margin);
            ledger.take(9, cost, margin, now);
            long end = now + dice.nextLong(2 * SECOND);
            switch (dice.nextInt(6)) {
                case 0 -> ledger.giveUp(9, cost, start, end);
                case 1 -> ledger.release(9, cost, ReleaseKind.LOST, start, end);
                case 2 -> {
                    ledger.release(9, cost, ReleaseKind.REJECTED, start, end);
                    ledger.reject(start, null, 0, "429", end);
                }
                default -> ledger.release(9, cost, ReleaseKind.OK, start, end);
            }
        }
        return stored(ledger);
    }

    private static void assertAlike(GatePolicy policy, Stored kept, Random dice, long from) {
        Stored old = kept;
        Stored anew = NOTHING;
        long now = from;
        for (int i = 0; i < 30; i++) {
            now += dice.nextLong(2 * SECOND);
            for (long cost = 1; cost < 4; cost++) {
                Waiter waiter = new Waiter("", 0, cost);
                assertThat(GateLedger.restore(KEY, policy, old, now).checkLimits(waiter, now))
                        .as("%s at %d, from '%s'", policy.text(), now, kept.memory())
                        .isEqualTo(GateLedger.restore(KEY, policy, anew, now).checkLimits(waiter, now));
            }
            long seed = dice.nextLong();
            old = startAndEnd(policy, old, new Random(seed), now);
            anew = startAndEnd(policy, anew, new Random(seed), now);
        }
    }
}
