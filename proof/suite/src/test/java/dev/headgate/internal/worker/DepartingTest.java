package dev.headgate.internal.worker;

import static dev.headgate.internal.worker.Plant.WORK;
import static dev.headgate.limit.Limit.window;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headgate.Worker;
import dev.headgate.handler.JobContext;
import dev.headgate.handler.TooLate;
import dev.headgate.internal.worker.Plant.Order;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.limit.Margin;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A handler that prepares for long asks once more, right before its call. */
class DepartingTest {
    private static final Duration MARGIN = Duration.ofSeconds(2);

    private final Plant plant = new Plant();
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final AtomicInteger entries = new AtomicInteger();
    private final CountDownLatch healed = new CountDownLatch(1);

    @AfterEach
    void close() {
        plant.close();
    }

    private void gate(Margin margin) {
        plant.headgate
                .policies()
                .replacing()
                .gate("api", g -> g.limit(window(1_000).per(Duration.ofHours(1)).margin(margin)));
    }

    private JobId enqueue() {
        return plant.headgate
                .enqueue(WORK, new Order(1), job -> job.gate("api").attempts(1))
                .id();
    }

    /** Prepares until its start is too old to be of use: by the clock that it is measured by. */
    private static void prepareForLong() {
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < MARGIN.toNanos() / 2 + 1_000_000) {
            Thread.onSpinWait();
        }
    }

    private void heal() {
        plant.backend.heal();
        healed.countDown();
    }

    /** The test asks the same store, so it asks after the store can be reached again. */
    private JobStatus endedOnceHealed(JobId id) throws InterruptedException {
        assertThat(healed.await(30, TimeUnit.SECONDS)).isTrue();
        return plant.ended(id);
    }

    @Test
    void inTimeItReturnsAtOnceAndAsksNobody() throws Exception {
        gate(Margin.of(Duration.ofMinutes(50)));
        AtomicInteger asked = new AtomicInteger();
        plant.headgate.handle(WORK, (order, job) -> {
            plant.backend.cutOffAll();
            job.beforeCall("api");
            asked.incrementAndGet();
            heal();
        });
        JobId id = enqueue();
        plant.work();
        assertThat(endedOnceHealed(id).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(asked).hasValue(1);
    }

    @Test
    void withoutAMarginItReturnsAtOnceHoweverLongItTook() throws Exception {
        gate(Margin.NONE);
        plant.headgate.handle(WORK, (order, job) -> {
            prepareForLong();
            job.beforeCall();
            calls.add("call");
        });
        JobId id = enqueue();
        plant.work();
        assertThat(plant.ended(id).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(calls).containsExactly("call");
    }

    private Long startedAt(JobContext job) {
        return plant.memory.read(tx ->
                Objects.requireNonNull(tx.jobs().find(job.id().value())).lease().startedAt());
    }

    @Test
    void tooLateItTakesANewStartAndGoesOn() throws Exception {
        gate(Margin.of(MARGIN));
        AtomicReference<Long> first = new AtomicReference<>();
        AtomicReference<Long> anew = new AtomicReference<>();
        plant.headgate.handle(WORK, (order, job) -> {
            entries.incrementAndGet();
            first.set(startedAt(job));
            prepareForLong();
            job.beforeCall("api");
            anew.set(startedAt(job));
            calls.add("call");
        });
        JobId id = enqueue();
        Worker worker = plant.work();
        JobStatus ended = plant.ended(id);
        assertThat(ended.state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(ended.leases().attempt()).isEqualTo(1);
        assertThat(calls).containsExactly("call");
        assertThat(anew.get()).as("its start was taken anew").isGreaterThan(first.get() + MARGIN.toNanos() / 2_000);
        assertThat(worker.lateStarts()).isEqualTo(entries.get() - 1);
        assertThat(plant.headgate.recount()).isEmpty();
    }

    /** What was prepared must not be lost to starts that would have to prepare for as long. */
    @Test
    void ifTheLimitsAllowItSoonItWaitsInItsSlot() throws Exception {
        gate(Margin.of(MARGIN));
        plant.headgate.handle(WORK, (order, job) -> {
            entries.incrementAndGet();
            prepareForLong();
            plant.headgate.controls().hold("api", MARGIN, "status 429");
            job.beforeCall("api");
            calls.add("call");
        });
        JobId id = enqueue();
        plant.work();
        assertThat(plant.ended(id).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(calls).containsExactly("call");
        assertThat(entries.get()).isEqualTo(1);
    }

    @Test
    void ifTheLimitsDoNotAllowItNowTheJobGoesBackUnspent() throws Exception {
        gate(Margin.of(MARGIN));
        plant.headgate.handle(WORK, (order, job) -> {
            if (entries.incrementAndGet() == 1) {
                prepareForLong();
                plant.headgate.controls().hold("api", Duration.ofMinutes(10), "status 429");
                try {
                    job.beforeCall("api");
                } catch (TooLate late) {
                    calls.add("too late");
                    plant.headgate.controls().clear("api");
                    throw new IllegalStateException("wrapped, as many a library does", late);
                }
            }
            calls.add("call");
        });
        JobId id = enqueue();
        Worker worker = plant.work();
        JobStatus ended = plant.ended(id);
        assertThat(ended.state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(ended.leases().attempt()).isEqualTo(1);
        assertThat(calls).containsExactly("too late", "call");
        assertThat(worker.lateStarts()).isGreaterThanOrEqualTo(1);
        assertThat(plant.headgate.attempts(id)).isEmpty();
    }

    @Test
    void aStoreThatCannotBeAskedMeansTooLate() throws Exception {
        gate(Margin.of(MARGIN));
        plant.headgate.handle(WORK, (order, job) -> {
            if (entries.incrementAndGet() == 1) {
                prepareForLong();
                plant.backend.cutOffAll();
                try {
                    job.beforeCall("api");
                } finally {
                    heal();
                }
            }
            calls.add("call");
        });
        JobId id = enqueue();
        plant.work();
        JobStatus ended = endedOnceHealed(id);
        assertThat(ended.state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(ended.leases().attempt()).isEqualTo(1);
        assertThat(calls).containsExactly("call");
    }

    @Test
    void mistakesAreSaid() throws Exception {
        gate(Margin.of(Duration.ofMinutes(50)));
        AtomicReference<JobContext> kept = new AtomicReference<>();
        plant.headgate.handle(WORK, (order, job) -> {
            kept.set(job);
            assertThatThrownBy(() -> job.beforeCall("other"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("expected one of its gates [api], got 'other'");
            assertThatThrownBy(() -> job.beforeCall(null))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("expected one of its gates [api], got none");
            job.beforeCall("api");
            assertThatThrownBy(() -> job.beforeCall())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("one start pays for one call");
        });
        JobId id = enqueue();
        plant.work();
        assertThat(plant.ended(id).state()).isEqualTo(JobState.SUCCEEDED);
        assertThatThrownBy(() -> kept.get().beforeCall())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has ended");
    }
}
