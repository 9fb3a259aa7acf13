package dev.headgate.limiter;

import static dev.headgate.limit.Limit.concurrency;
import static dev.headgate.limit.Limit.delay;
import static dev.headgate.limit.Limit.window;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Limit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Limits of a user's own in limiters of one process. */
class CustomLimitTest {
    private final AtomicLong nanos = new AtomicLong();
    private final List<String> calls = new ArrayList<>();

    /** Places that another program takes too, and that say what they were asked. */
    private final class Seats implements CustomLimit {
        final String name;
        int free;

        @Nullable
        RuntimeException broken;

        Runnable opened = () -> {};

        Seats(String name, int free) {
            this.name = name;
            this.free = free;
        }

        @Override
        public Answer tryTake(long cost) {
            if (broken != null) {
                throw broken;
            }
            if (free == 0) {
                return Denied.untilRelease("no seat of " + name);
            }
            free--;
            calls.add("take " + name);
            return new Taken() {
                @Override
                public void undo() {
                    free++;
                    calls.add("undo " + name);
                }

                @Override
                public void end() {
                    free++;
                    calls.add("end " + name);
                }

                @Override
                public void settle(long actualCost) {
                    calls.add("settle " + name + " " + actualCost);
                }
            };
        }

        @Override
        public void clear() {
            free = 9;
            calls.add("clear " + name);
        }

        @Override
        public int available(int max) {
            return broken == null ? Math.min(max, free) : -1;
        }

        @Override
        public void whenOpened(Runnable rings) {
            opened = rings;
        }
    }

    private LocalLimiter limiter(Limit... limits) {
        return Limiter.inProcess(GatePolicy.of(limits), nanos::get);
    }

    private static Permit granted(Limiter limiter) {
        return (Permit) limiter.tryAcquire();
    }

    private static Denied denied(Limiter limiter) {
        return (Denied) limiter.tryAcquire();
    }

    @Test
    void itsPermitEndsOnceAndSettlesOnce() {
        LocalLimiter limiter = Limiter.inProcess(new Seats("a", 1));
        Permit permit = granted(limiter);
        assertThat(denied(limiter).reason()).isEqualTo("no seat of a");
        assertThat(denied(limiter).next()).isNull();
        assertThat(limiter.check(1)).isPresent();
        assertThat(permit.settle(7)).isTrue();
        assertThat(permit.settle(8)).isFalse();
        permit.close();
        permit.close();
        assertThat(calls).containsExactly("take a", "settle a 7", "end a");
        assertThat(limiter.available(5)).isEqualTo(1);
    }

    @Test
    void besideOtherLimitsItIsTakenWithAllOrNotAtAll() {
        Seats a = new Seats("a", 3);
        Seats b = new Seats("b", 1);
        LocalLimiter limiter = limiter(window(9).per(ofHours(1))).add(a).add(b).add(limiter(delay(ofSeconds(1))));
        granted(limiter);
        calls.clear();
        nanos.addAndGet(ofSeconds(1).toNanos());
        assertThat(denied(limiter).reason()).contains("no seat of b");
        assertThat(calls).as("undone in reverse order").containsExactly("take a", "undo a");
        b.free = 1;
        granted(limiter).close();
        calls.clear();
        assertThat(denied(limiter).next()).as("the latest of all").isEqualTo(ofSeconds(1));
        a.free = 0;
        assertThat(denied(limiter).next()).as("a release takes longest").isNull();
        assertThat(limiter.available(9)).isZero();
        limiter.clear();
        assertThat(calls).contains("clear a", "clear b");
        assertThat(granted(limiter)).isNotNull();
    }

    @Test
    void whatWasTakenBeforeAClearIsNeitherEndedNorSettled() {
        LocalLimiter limiter = Limiter.inProcess(new Seats("a", 3));
        Permit before = granted(limiter);
        limiter.clear();
        calls.clear();
        assertThat(before.settle(3)).isFalse();
        before.close();
        assertThat(calls).isEmpty();
    }

    @Test
    void itCanBeHeldAndPushedBackLikeAnyLimiter() {
        LocalLimiter limiter = limiter(concurrency(5)).add(new Seats("a", 3));
        try (Permit permit = granted(limiter)) {
            permit.pushedBack(ofSeconds(30));
        }
        assertThat(denied(limiter).next()).isEqualTo(ofSeconds(30));
        nanos.addAndGet(ofSeconds(30).toNanos());
        Permit probe = granted(limiter);
        assertThat(denied(limiter).reason()).contains("probe");
        probe.close();
        granted(limiter);
    }

    @Test
    void aBrokenLimitLetsNothingStartForASecondAndTakesNothingOfTheOthers() {
        Seats a = new Seats("a", 3);
        Seats b = new Seats("b", 3);
        LocalLimiter limiter = limiter().add(a).add(b);
        b.broken = new IllegalStateException("the licence server is away");
        assertThat(denied(limiter).reason()).contains("Seats failed", "the licence server is away");
        assertThat(denied(limiter).next()).isEqualTo(ofSeconds(1));
        assertThat(limiter.available(3)).isZero();
        assertThat(a.free).isEqualTo(3);
        b.broken = null;
        granted(limiter);
    }

    @Test
    void startsWithoutPermitsAreRefusedBecauseItMustKnowThemApart() {
        LocalLimiter limiter = limiter().add(new Seats("a", 3));
        assertThatThrownBy(() -> limiter.tryStart(1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("expected tryAcquire");
    }

    @Test
    @Timeout(20)
    void aThreadThatWaitsIsWokenWhenItOpensByItself() throws Exception {
        Seats a = new Seats("a", 0);
        LocalLimiter limiter = Limiter.inProcess(a);
        Thread seat = new Thread(() -> {
            limiter.guarded().lock.lock(); // as the limiter calls it
            try {
                a.free = 1;
            } finally {
                limiter.guarded().lock.unlock();
            }
            a.opened.run();
        });
        seat.start();
        assertThat(limiter.acquire(1, ofHours(1))).isInstanceOf(Permit.class);
    }

    @Test
    void aDenialSaysWhenAndWhy() {
        assertThat(Denied.after(ofMillis(20), "3 of 3 today")).hasToString("3 of 3 today, opens in PT0.02S");
        assertThat(Denied.after(Duration.ZERO, "now").next()).isEqualTo(Duration.ofNanos(1_000));
        assertThat(Denied.after(Duration.ofDays(4_000), "ages").next()).isEqualTo(Duration.ofDays(366));
        assertThat(Denied.untilRelease("taken").next()).isNull();
        assertThat(Denied.untilRelease("taken").isNever()).isFalse();
        assertThat(Denied.never("more than 3").isNever()).isTrue();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Denied.untilRelease(" "))
                .withMessageContaining("expected a reason");
    }

    @SuppressWarnings("NullAway")
    @Test
    void whatIsNoDenialAndNoLimitIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Denied.after(Duration.ofSeconds(-5), "now"))
                .withMessageContaining("expected how long until time opens it, zero or more, got PT-5S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Denied.never(null))
                .withMessageContaining("expected a reason, such as '3 of 3 seats are taken', got null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limiter.inProcess((CustomLimit) null))
                .withMessageContaining("expected a limit of your own, got null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limiter.inProcess(concurrency(1)).add((CustomLimit) null))
                .withMessageContaining("expected a limit of your own, got null");
    }
}
