package dev.headgate.limiter;

import static dev.headgate.limit.Limit.concurrency;
import static dev.headgate.limit.Limit.delay;
import static dev.headgate.limit.Limit.rate;
import static dev.headgate.limit.Limit.window;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headgate.limit.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Limiters of one process under real threads. */
class LimiterThreadsTest {
    private static final int THREADS = 8;

    private static void together(Runnable work) throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                all.add(threads.submit(() -> {
                    start.await();
                    work.run();
                    return null;
                }));
            }
            start.countDown();
            for (Future<?> each : all) {
                each.get();
            }
        }
    }

    /** A counter of their own shows it: never more than three, and all places are there at the end. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void neverMoreAtOnceThanAllowedAlsoWhileTheLimiterMoves(boolean isMoving) throws Exception {
        for (int round = 0; round < 20; round++) {
            LocalLimiter limiter = Limiter.inProcess(concurrency(3));
            AtomicInteger inside = new AtomicInteger();
            AtomicInteger most = new AtomicInteger();
            AtomicInteger asked = new AtomicInteger();
            together(() -> {
                for (int i = 0; i < 500; i++) {
                    if (isMoving && asked.incrementAndGet() == 1_000) {
                        limiter.guarded();
                    }
                    if (limiter.tryAcquire() instanceof Permit permit) {
                        most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                        Thread.onSpinWait();
                        inside.decrementAndGet();
                        permit.close();
                    }
                }
            });
            assertThat(most.get()).isBetween(1, 3);
            assertThat(limiter.available(9)).isEqualTo(3);
        }
    }

    @Test
    void noMoreStartThanTheBurstWhoeverAsksHowever() throws Exception {
        Limit burst = rate(1).per(ofHours(1)).burst(1_000);
        for (int round = 0; round < 20; round++) {
            LocalLimiter limiter = Limiter.inProcess(burst);
            AtomicInteger started = new AtomicInteger();
            AtomicInteger asked = new AtomicInteger();
            together(() -> {
                for (int i = 0; i < 500; i++) {
                    if (asked.incrementAndGet() == 700) {
                        limiter.add(window(5_000).per(ofHours(1)));
                    }
                    started.addAndGet(limiter.tryStart(1) ? 1 : 0);
                }
            });
            assertThat(started).hasValue(1_000);
        }
    }

    @Test
    void limitersThatShareMembersInAnyOrderNeverWaitForEachOther() throws Exception {
        LocalLimiter a = Limiter.inProcess(concurrency(2));
        LocalLimiter b = Limiter.inProcess(concurrency(2));
        LocalLimiter ab = Limiter.inProcess().add(a).add(b);
        LocalLimiter ba = Limiter.inProcess().add(b).add(a);
        together(() -> {
            for (int i = 0; i < 2_000; i++) {
                if ((i % 2 == 0 ? ab : ba).tryAcquire() instanceof Permit permit) {
                    permit.close();
                }
            }
        });
        assertThat(ab.available(9)).isEqualTo(2);
    }

    private static Thread waiting(FutureTask<?> task) {
        Thread thread = new Thread(task);
        thread.start();
        while (thread.getState() != Thread.State.WAITING && thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        return thread;
    }

    @Test
    void thoseWhoWaitAreServedInOrderAndNobodyOvertakes() throws Exception {
        LocalLimiter limiter = Limiter.inProcess(concurrency(1));
        Permit first = (Permit) limiter.tryAcquire();
        List<Integer> order = new CopyOnWriteArrayList<>();
        List<FutureTask<?>> tasks = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            int number = i;
            FutureTask<?> task = new FutureTask<>(() -> {
                try (Permit permit = (Permit) limiter.acquire(1, ofSeconds(20))) {
                    order.add(number);
                }
                return null;
            });
            tasks.add(task);
            waiting(task);
        }
        assertThat(limiter.tryAcquire()).isInstanceOf(Denied.class);
        first.close();
        for (FutureTask<?> task : tasks) {
            task.get();
        }
        assertThat(order).containsExactly(0, 1, 2, 3, 4);
        assertThat(limiter.tryAcquire()).isInstanceOf(Permit.class);
    }

    @Test
    void aWaiterWakesWhenTimeOpensTheLimiterNotBefore() throws Exception {
        LocalLimiter limiter = Limiter.inProcess(delay(ofMillis(30)));
        limiter.tryAcquire();
        long before = System.nanoTime();
        for (int i = 0; i < 3; i++) {
            assertThat(limiter.acquire(1, ofMinutes(2))).isInstanceOf(Permit.class);
        }
        assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(80_000_000L);
    }

    @Test
    void aWaiterGoesEmptyHandedAfterItsTimeout() throws Exception {
        LocalLimiter limiter = Limiter.inProcess(concurrency(1));
        Permit held = (Permit) limiter.tryAcquire();
        assertThat(limiter.acquire(1, ofMillis(10))).isInstanceOf(Denied.class);
        held.close();
        assertThat(limiter.acquire(1, ofMillis(10))).isInstanceOf(Permit.class);
    }

    @Test
    void aWaiterOfACompositeHearsOfWhatIsGivenBackAtAMember() throws Exception {
        LocalLimiter member = Limiter.inProcess(concurrency(1));
        LocalLimiter composite = Limiter.inProcess().add(member);
        Permit held = (Permit) member.tryAcquire();
        FutureTask<Limiter.Answer> task = new FutureTask<>(() -> composite.acquire(1, ofSeconds(20)));
        waiting(task);
        held.close();
        assertThat(task.get()).isInstanceOf(Permit.class);
    }

    @Test
    void aWaiterCanBeInterruptedAndLeavesNoTrace() throws Exception {
        LocalLimiter limiter = Limiter.inProcess(concurrency(1));
        Permit held = (Permit) limiter.tryAcquire();
        FutureTask<Limiter.Answer> task = new FutureTask<>(() -> limiter.acquire(1, ofHours(1)));
        waiting(task).interrupt();
        assertThatThrownBy(task::get).hasRootCauseInstanceOf(InterruptedException.class);
        held.close();
        assertThat(limiter.tryAcquire()).isInstanceOf(Permit.class);
    }
}
