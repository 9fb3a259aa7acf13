package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.lease.EndedLease;
import dev.headgate.internal.lease.Turn;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.OperationResult;
import dev.headgate.limit.GateKey;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StatementTrap;
import dev.headgate.proof.StoreFixture;
import dev.headgate.proof.WorkflowRig;
import dev.headgate.proof.contract.WorkflowContract.Trail;
import dev.headgate.run.RunId;
import dev.headgate.store.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * For stores behind JDBC: whichever statement of a transition fails, nothing of its transaction is written, and the same
 * call again does what it would have done. Where the failure says that another transaction came between, the store
 * tries again by itself.
 */
public interface BrokenStatementContract extends StoreFixture {
    /** What stands between the store of the rig and its driver. */
    StatementTrap trap();

    /** Every row of every table, in any fixed order. */
    List<String> rows();

    /** What a driver throws when the database refuses a statement. */
    Exception refusal();

    /** What it throws when another transaction came between; absent where that cannot be. */
    @Nullable
    Exception conflict();

    /**
     * Breaks the first statement, then the second, and so on until none is left.
     *
     * @param transition makes everything ready, and answers what to do and to check
     */
    private void breakEach(Rig rig, Supplier<Runnable> transition) {
        int refusals = breakEach(rig, transition, refusal(), false);
        assertThat(refusals).as("statements that were broken").isPositive();
        Exception conflict = conflict();
        if (conflict != null) {
            assertThat(breakEach(rig, transition, conflict, true)).isPositive();
        }
    }

    private int breakEach(Rig rig, Supplier<Runnable> transition, Exception failure, boolean isHealing) {
        boolean hasSprung = true;
        int n = 0;
        while (hasSprung) {
            n++;
            Runnable act = transition.get();
            AtomicReference<List<String>> committed = new AtomicReference<>(rows());
            trap().arm(n, failure, () -> committed.set(rows()));
            StoreUnavailableException told = null;
            try {
                act.run();
            } catch (StoreUnavailableException failed) {
                told = failed;
            } finally {
                hasSprung = trap().disarm();
            }
            String which = "statement %d of a transition was broken".formatted(n);
            if (hasSprung) {
                assertThat(told == null)
                        .as("%s: the store went on by itself", which)
                        .isEqualTo(isHealing);
            } else {
                assertThat(told).isNull();
            }
            if (told != null) {
                assertThat(rows()).as(which).isEqualTo(committed.get());
                act.run();
            }
            assertThat(rig.store().recount()).as(which).isEmpty();
        }
        return n - 1;
    }

    @Test
    default void aBrokenEnqueueLeavesNothing(Rig rig) {
        AtomicInteger keys = new AtomicInteger();
        breakEach(rig, () -> {
            String key = "key-" + keys.incrementAndGet();
            JobFilter page = JobFilter.all().limit(JobFilter.LIMIT_MAX);
            int before = rig.store().list(page).size();
            return () -> {
                rig.enqueue(
                        job("mail").type("child"),
                        job("mail").children(0),
                        job("mail").gate("a", "b").dedup(key));
                assertThat(rig.store().list(page)).hasSize(before + 3);
            };
        });
    }

    @Test
    default void aBrokenClaimSpendsNothing(Rig rig) {
        rig.policy("gate a", "concurrency 1; rate 10/1m burst 1").policy("gate b", "budget 5");
        ScriptedWorker worker = rig.worker("mail");
        breakEach(rig, () -> {
            worker.finishAll();
            rig.advance(Duration.ofMinutes(1));
            JobId id = rig.enqueue(job("mail").gate("a", "b"));
            return () -> assertThat(worker.claim(1)).containsExactly(id);
        });
    }

    @Test
    default void aBrokenTurnEndsNothingAndStartsNothing(Rig rig) {
        rig.policy("queue mail", "concurrency 1; fair by tenant:*");
        ScriptedWorker worker = rig.worker("mail");
        breakEach(rig, () -> {
            worker.finishAll();
            JobId first = rig.enqueue(job("mail").gate("tenant:a"));
            JobId dependent = rig.enqueue(job("mail").gate("tenant:b").after(first));
            assertThat(worker.claim(1)).containsExactly(first);
            return () -> {
                Turn turn = worker.turn(1, worker.ended());
                assertThat(turn.refused()).isEmpty();
                if (turn.started().isEmpty()) {
                    assertThat(worker.claim(1)).containsExactly(dependent);
                }
            };
        });
    }

    @Test
    default void aBrokenRetryCountsNoAttempt(Rig rig) {
        ScriptedWorker worker = rig.worker("mail");
        breakEach(rig, () -> {
            JobId id = rig.enqueue(job("mail").gate("a"));
            assertThat(worker.claim(1)).containsExactly(id);
            return () -> {
                assertThat(worker.retryAfter(id, Duration.ofDays(1))).isTrue();
                assertThat(rig.store().attempts(id)).hasSize(1);
            };
        });
    }

    @Test
    default void aBrokenReapLosesNobody(Rig rig) {
        AtomicInteger workers = new AtomicInteger();
        AtomicReference<@Nullable JobId> last = new AtomicReference<>();
        breakEach(rig, () -> {
            JobId before = last.get();
            if (before != null) {
                rig.store().cancel(before);
            }
            JobId id = rig.enqueue(job("mail").gate("a"));
            last.set(id);
            ScriptedWorker doomed = rig.register("doomed-" + workers.incrementAndGet(), "mail");
            assertThat(doomed.claim(1)).containsExactly(id);
            doomed.crash();
            rig.advance(ScriptedWorker.LEASE);
            return () -> {
                assertThat(rig.store().reap()).isEqualTo(1);
                assertThat(rig.status(id).leases().lost()).isEqualTo(1);
            };
        });
    }

    @Test
    default void aBrokenOrderOfAnOperatorDoesNothing(Rig rig) {
        ScriptedWorker worker = rig.worker("mail");
        breakEach(rig, () -> {
            List<JobId> jobs = new ArrayList<>(rig.enqueue(2, job("mail").gate("a")));
            jobs.add(rig.enqueue(job("mail").after(jobs.getFirst())));
            AtomicInteger done = new AtomicInteger();
            // Each has a transaction of its own: what was done stays done.
            List<Runnable> orders = List.of(
                    () -> assertThat(rig.store().cancel(jobs.getFirst())).isEqualTo(OperationResult.DONE),
                    () -> assertThat(rig.state(jobs.getLast())).isEqualTo(JobState.CANCELLED),
                    () -> assertThat(rig.store().retry(jobs.getFirst())).isEqualTo(OperationResult.DONE),
                    () -> assertThat(rig.store().delete(jobs.get(1))).isEqualTo(OperationResult.DONE),
                    () -> assertThat(rig.store().hold(GateKey.gate("a"), Duration.ofHours(1), "test"))
                            .isTrue(),
                    () -> rig.store().clear(GateKey.gate("a")),
                    () -> worker.heartbeat());
            return () -> {
                while (done.get() < orders.size()) {
                    orders.get(done.get()).run();
                    done.incrementAndGet();
                }
            };
        });
    }

    @Test
    default void aBrokenChangeOfLimitsChangesNone(Rig rig) {
        rig.enqueue(5, job("mail").gate("a"));
        AtomicInteger limits = new AtomicInteger(10);
        breakEach(rig, () -> {
            int limit = limits.incrementAndGet();
            return () -> {
                rig.policy("gate a", "concurrency %d; journal 1h".formatted(limit));
                assertThat(rig.store().policies().policyFor(GateKey.gate("a")).text())
                        .contains("concurrency " + limit);
            };
        });
    }

    @Test
    default void aBrokenScheduleRunsOnce(Rig rig) {
        rig.schedules().put("s", RecurrenceContract.terms(RecurrenceContract.MINUTELY, job("mail")));
        breakEach(rig, () -> {
            rig.advance(RecurrenceContract.MINUTE);
            return () -> assertThat(rig.schedules().fire().runs()).isEqualTo(1);
        });
    }

    @Test
    default void aBrokenStepCountsOnce(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(WorkflowContract.ABC);
        breakEach(rig, () -> {
            AtomicReference<RunId> run = new AtomicReference<>();
            List<EndedLease> steps = new ArrayList<>();
            return () -> {
                if (run.get() == null) {
                    run.set(play.workflows()
                            .start(WorkflowContract.ABC, new Trail("-"))
                            .id());
                }
                RunId id = run.get();
                while (!play.state(id).isTerminal()) {
                    if (steps.isEmpty()) {
                        steps.addAll(play.claimed());
                    }
                    assertThat(play.worker()
                                    .turn(0, steps.toArray(EndedLease[]::new))
                                    .refused())
                            .isEmpty();
                    steps.clear();
                }
                assertThat(play.story(id)).containsExactly("STARTED a", "ENTERED b", "ENTERED c", "SUCCEEDED c");
            };
        });
    }
}
