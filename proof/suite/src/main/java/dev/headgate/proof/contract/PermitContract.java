package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headgate.internal.admission.Permits;
import dev.headgate.internal.limiter.GateLimiter;
import dev.headgate.internal.limiter.PermitStore;
import dev.headgate.internal.operate.HoldStore;
import dev.headgate.job.JobId;
import dev.headgate.limit.GateKey;
import dev.headgate.limiter.Denied;
import dev.headgate.limiter.Limiter;
import dev.headgate.limiter.Permit;
import dev.headgate.limiter.StoredLimiter;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Gates that are used without a job: places with an end, shared with jobs. */
public interface PermitContract extends StoreFixture {
    private static StoredLimiter limiter(Rig rig, String... gates) {
        return new GateLimiter(
                new PermitStore(rig.store().backend(), rig.ticker()),
                Stream.of(gates)
                        .map(gate -> gate.contains(" ") ? Rig.key(gate) : Rig.key("gate " + gate))
                        .toList());
    }

    @Test
    default void thePlacesOfAQueueAreSharedWithItsJobsToo(Rig rig) {
        rig.policy("queue q", "concurrency 2");
        ScriptedWorker worker = rig.worker("q");
        List<JobId> jobs = rig.enqueue(3, job("q"));
        StoredLimiter limiter = limiter(rig, "queue q", "gate api").timeToLive(Duration.ofSeconds(10));
        Permit permit = (Permit) limiter.tryAcquire();
        assertThat(worker.claim(9)).containsExactly(jobs.getFirst());
        rig.policy("queue q", "concurrency 3");
        assertThat(rig.leases("queue q")).as("counted anew with its permit").isEqualTo(2);
        rig.policy("queue q", "concurrency 2");
        permit.close();
        assertThat(worker.claim(9)).containsExactly(jobs.get(1));
        worker.finishAll();
        assertThat(limiter.tryAcquire(1)).isInstanceOf(Permit.class);
        assertThat(limiter.tryAcquire(1)).isInstanceOf(Permit.class);
        assertThat(worker.claim(9)).isEmpty();
        assertThat(worker.sleep()).as("a worker wakes at their end").isEqualTo(Duration.ofSeconds(10));
        rig.advance(Duration.ofSeconds(10));
        assertThat(worker.claim(9)).containsExactly(jobs.getLast());
    }

    @Test
    default void jobsAndPermitsShareOneTruth(Rig rig) {
        rig.policy("gate api", "concurrency 2");
        ScriptedWorker worker = rig.worker("q");
        List<JobId> jobs = rig.enqueue(2, job("q").gate("api"));
        StoredLimiter limiter = limiter(rig, "api");
        Permit permit = (Permit) limiter.tryAcquire();
        assertThat(worker.claim(9)).containsExactly(jobs.getFirst());
        assertThat(rig.leases("gate api")).isEqualTo(2);
        assertThat(limiter.tryAcquire()).isInstanceOf(Denied.class);
        permit.close();
        assertThat(worker.claim(9)).containsExactly(jobs.getLast());
        worker.finishAll();
        assertThat(rig.leases("gate api")).isZero();
    }

    @Test
    default void aPermitWhoseProcessDiedIsFreeAtItsEndAlsoForJobsInLine(Rig rig) {
        rig.policy("gate api", "concurrency 1");
        ScriptedWorker worker = rig.worker("q");
        JobId id = rig.enqueue(job("q").gate("api"));
        Permit lost =
                (Permit) limiter(rig, "api").timeToLive(Duration.ofSeconds(10)).tryAcquire();
        assertThat(worker.claim(9)).isEmpty();
        assertThat(worker.sleep()).as("a worker wakes at its end").isEqualTo(Duration.ofSeconds(10));
        rig.advance(Duration.ofSeconds(10).minusNanos(1_000));
        assertThat(worker.claim(9)).isEmpty();
        rig.advance(Duration.ofNanos(1_000));
        assertThat(worker.claim(9)).containsExactly(id);
        assertThat(lost.renew()).isFalse();
        assertThat(lost.settle(3)).isFalse();
        assertThat(lost.pushedBack(Duration.ofHours(1))).isFalse();
        lost.close();
        assertThat(rig.leases("gate api")).isEqualTo(1);
    }

    @Test
    default void aRenewedPermitLivesOnAndTheStoreMayBeReopenedMeanwhile(Rig rig) {
        rig.policy("gate api", "concurrency 1; window 5/1h");
        Permit permit = (Permit) limiter(rig, "api").tryAcquire();
        rig.advance(Duration.ofSeconds(29));
        assertThat(permit.renew()).isTrue();
        rig.advance(Duration.ofSeconds(29));
        assertThat(limiter(rig, "api").check(1)).isPresent();
        rig.store().close();
        rig.reopenedAs(reopen(rig.time()));
        assertThat(limiter(rig, "api").check(1)).isPresent();
        rig.advance(Duration.ofSeconds(1));
        assertThat(limiter(rig, "api").check(1)).isEmpty();
        assertThat(limiter(rig, "api").tryAcquire()).isInstanceOf(Permit.class);
    }

    @Test
    default void aLostProbeLetsAnotherTryAtItsEnd(Rig rig) {
        rig.policy("gate api", "window 100/1s");
        StoredLimiter limiter = limiter(rig, "api");
        try (Permit permit = (Permit) limiter.tryAcquire()) {
            permit.pushedBack(Duration.ofSeconds(60));
        }
        rig.advance(Duration.ofSeconds(60));
        assertThat(limiter.tryAcquire()).isInstanceOf(Permit.class);
        assertThat(((Denied) limiter.tryAcquire()).reason()).contains("probe");
        rig.advance(Duration.ofSeconds(30));
        Permit second = (Permit) limiter.tryAcquire();
        second.close();
        assertThat(limiter.tryAcquire()).isInstanceOf(Permit.class);
        assertThat(limiter.tryAcquire()).isInstanceOf(Permit.class);
    }

    @Test
    default void whatWaitsForAPermitNoticesThatTheGateOpenedEarly(Rig rig) throws Exception {
        HoldStore holds = rig.store().holds();
        GateKey api = Rig.key("gate api");
        noticed(rig, "window 1/1h margin none", limiter -> rig.policy("gate api", "window 2/1h margin none"));
        noticed(rig, "window 1/1h margin none", limiter -> rig.policy("gate api", ""));
        noticed(rig, "window 1/1h margin none", limiter -> holds.clear(api));
        noticed(rig, "concurrency 9", limiter -> holds.release(api));
    }

    @Test
    default void whatWaitsForAPermitNoticesARefundElsewhere(Rig rig) throws Exception {
        rig.policy("gate api", "window 10/1h by-cost margin none");
        Permit dear = (Permit) limiter(rig, "api").tryAcquire(10);
        Future<Limiter.Answer> waiting = waiting(rig);
        dear.settle(1);
        assertThat(waiting.get(20, TimeUnit.SECONDS)).isInstanceOf(Permit.class);
    }

    /** The gate is shut for hours and opened in this way; what waits gets its permit long before. */
    private static void noticed(Rig rig, String limits, Consumer<StoredLimiter> opens) throws Exception {
        rig.policy("gate api", limits);
        rig.store().clear(Rig.key("gate api"));
        StoredLimiter limiter = limiter(rig, "api");
        if (limits.startsWith("window")) {
            assertThat(limiter.tryAcquire()).isInstanceOf(Permit.class);
        } else {
            limiter.hold(Duration.ofHours(1), "maintenance");
        }
        Future<Limiter.Answer> waiting = waiting(rig);
        opens.accept(limiter);
        assertThat(waiting.get(20, TimeUnit.SECONDS)).isInstanceOf(Permit.class);
    }

    /** As in another process: with a limiter of its own, which nothing rings. */
    private static Future<Limiter.Answer> waiting(Rig rig) {
        StoredLimiter other = new GateLimiter(new PermitStore(rig.store().backend()), List.of(Rig.key("gate api")));
        CompletableFuture<Limiter.Answer> answer = new CompletableFuture<>();
        Thread thread = Thread.ofPlatform().daemon().start(() -> {
            try {
                answer.complete(other.acquire(1, Duration.ofMinutes(30)));
            } catch (Throwable failure) {
                answer.completeExceptionally(failure);
            }
        });
        while (thread.getState() != Thread.State.TIMED_WAITING && !answer.isDone()) {
            Thread.onSpinWait();
        }
        assertThat(answer).as("it waits").isNotDone();
        return answer;
    }

    @Test
    default void ofSeveralGatesItTakesAllOrNothing(Rig rig) {
        rig.policy("gate api", "window 2/1h").policy("gate tenant:acme", "concurrency 1");
        StoredLimiter both = limiter(rig, "tenant:acme", "api");
        Permit first = (Permit) both.tryAcquire();
        for (int i = 0; i < 3; i++) {
            assertThat(((Denied) both.tryAcquire()).reason()).contains("tenant:acme", "1 of 1 in use");
        }
        assertThat(limiter(rig, "api").tryAcquire()).as("no token was lost").isInstanceOf(Permit.class);
        first.close();
        assertThat(((Denied) both.tryAcquire()).next()).isEqualTo(Duration.ofHours(1));
        assertThat(rig.leases("gate tenant:acme")).isZero();
    }

    @Test
    default void gatesThatOpenByTimeKeepNothingThatCouldLeak(Rig rig) {
        rig.policy("gate api", "window 5000/1h by-cost");
        StoredLimiter limiter = limiter(rig, "api");
        for (int i = 0; i < 20; i++) {
            limiter.tryAcquire(100);
        }
        assertThat(rig.leases("gate api")).isZero();
        assertThat(rig.gate("gate api").units()).isZero();
        Permit last = (Permit) limiter.tryAcquire(3000);
        assertThat(limiter.check(1)).isPresent();
        last.settle(1000);
        assertThat(limiter.check(2000)).isEmpty();
        assertThat(rig.gate("gate api").units()).isZero();
    }

    @Test
    default void theJournalTellsOfPermitsToo(Rig rig) {
        rig.policy("gate api", "window 10/1h by-cost; concurrency 2; journal 7d");
        Permit permit = (Permit) limiter(rig, "api").tryAcquire(4);
        permit.settle(1);
        permit.close();
        assertThat(rig.store().journal(Rig.key("gate api"), 0, 9))
                .extracting(entry -> entry.event().kind() + " " + entry.event().starts() + " "
                        + entry.event().units())
                .containsExactly("START 1 4", "SETTLE 0 -3", "RETURN 1 1");
    }

    @Test
    default void aClearedGateFreesPermitsButNotJobs(Rig rig) {
        rig.policy("gate api", "concurrency 2");
        ScriptedWorker worker = rig.worker("q");
        rig.enqueue(job("q").gate("api"));
        worker.claim(1);
        StoredLimiter limiter = limiter(rig, "api");
        limiter.tryAcquire();
        assertThat(limiter.check(1)).isPresent();
        limiter.clear();
        assertThat(limiter.tryAcquire()).isInstanceOf(Permit.class);
        assertThat(limiter.tryAcquire()).isInstanceOf(Denied.class);
    }

    @Test
    default void thereIsAMostToThePermitsOfOneGate(Rig rig) {
        rig.policy("gate api", "concurrency 5000");
        PermitStore store = new PermitStore(rig.store().backend(), rig.ticker());
        for (int i = 0; i < Permits.MAX; i++) {
            store.ask(List.of(Rig.key("gate api")), 1, -2 - i, Duration.ofSeconds(30));
        }
        assertThat(((Denied) limiter(rig, "api").tryAcquire()).reason()).contains("1000 permits");
        rig.advance(Duration.ofSeconds(30));
        assertThat(limiter(rig, "api").tryAcquire()).isInstanceOf(Permit.class);
        assertThat(rig.leases("gate api")).isEqualTo(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limiter(rig, "api").timeToLive(Duration.ZERO))
                .withMessageContaining("100ms");
    }
}
