package dev.headgate.proof.conformance;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headgate.internal.lease.EndedLease;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.Outcome;
import dev.headgate.job.ParkReason;
import dev.headgate.job.Unmet;
import dev.headgate.machine.Machine;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.WorkflowRig;
import dev.headgate.schedule.Schedule;
import dev.headgate.schedule.ScheduleTerms;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.NewJob;
import dev.headgate.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/**
 * The semantics that are ours, one by one.
 *
 * <p>Windows are in WindowTest and {@link ConveyorConformance}, holds in HoldContract and {@link WorkglowQueueConformance},
 * settled costs in SettleContract.
 */
public interface HeadgateConformance extends Conformance {
    @Test
    default void tokensRefillWithTimeAndNeverAboveTheBurst(Rig rig) {
        rig.policy("gate api", "rate 10/1s burst 4");
        ScriptedWorker worker = rig.worker("mail");
        rig.enqueue(100, job("mail").gate("api"));
        assertThat(tokens(rig)).isEqualTo(4);
        assertThat(worker.claimAll()).hasSize(4);
        rig.advance(Duration.ofMillis(250));
        assertThat(tokens(rig)).isEqualTo(2);
        rig.advance(Duration.ofMillis(50));
        assertThat(worker.claimAll()).hasSize(3);
        rig.advance(Duration.ofDays(1));
        assertThat(tokens(rig)).isEqualTo(4);
        assertThat(worker.claimAll()).hasSize(4);
    }

    private static long tokens(Rig rig) {
        return rig.gate("gate api").tokens().getFirst().now();
    }

    @Test
    default void aDenialWritesNothing(Rig rig) {
        rig.policy("gate api", "rate 1/1s burst 1");
        ScriptedWorker worker = rig.worker("mail");
        rig.enqueue(2, job("mail").gate("api"));
        assertThat(worker.claim(2)).hasSize(1);
        assertThat(worker.claim(1)).isEmpty();
        Object before = memory(rig);
        for (int poll = 0; poll < 10; poll++) {
            rig.advance(Duration.ofMillis(90));
            assertThat(worker.claim(1)).isEmpty();
        }
        assertThat(memory(rig)).isEqualTo(before);
    }

    private static Object memory(Rig rig) {
        return Objects.requireNonNull(
                rig.store().backend().<Object>read(tx -> tx.gates().findAll(List.of(Rig.key("gate api")))));
    }

    @Test
    default void spacingIsStartToStartForAnyNumberOfJobsAndAnyDuration(Rig rig) {
        rig.policy("gate api", "rate 10/10s burst 1");
        ScriptedWorker worker = rig.worker("mail");
        List<JobId> ids = rig.enqueue(6, job("mail").gate("api"));
        List<Instant> starts = new ArrayList<>();
        for (JobId id : ids) {
            assertThat(worker.claim(5)).containsExactly(id);
            starts.add(rig.time().now());
            // Some end at once, some never: it makes no difference.
            if (id.value() % 2 == 0) {
                worker.finish(id);
            }
            if (starts.size() < ids.size()) {
                assertThat(worker.sleep()).isBetween(Duration.ofSeconds(1), later(Duration.ofSeconds(1)));
                rig.advance(Duration.ofSeconds(1));
            }
        }
        Duration five = Duration.ofSeconds(5);
        assertThat(Duration.between(starts.getFirst(), starts.getLast()))
                .isBetween(five, five.plus(later(Duration.ZERO).multipliedBy(5)));
    }

    @Test
    default void aPlaceIsHeldFromLeaseToReleaseAndNotFromEnqueue(Rig rig) {
        rig.policy("gate a", "concurrency 1");
        JobId older = rig.enqueue(job("unserved").gate("a"));
        JobId id = rig.enqueue(job("mail").gate("a"));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(1)).containsExactly(id);
        assertThat(rig.leases("gate a")).isEqualTo(1);
        worker.finish(id);
        assertThat(rig.leases("gate a")).isZero();
        assertThat(rig.state(older)).isEqualTo(JobState.QUEUED);
    }

    @Test
    default void everyWayAJobCanEndFreesItsPlaces(Rig rig) {
        List<BiConsumer<ScriptedWorker, JobId>> ways = List.of(
                (worker, id) -> worker.finish(id),
                (worker, id) -> worker.fail(id, "no"),
                (worker, id) -> worker.retryAfter(id, Duration.ofDays(1)),
                (worker, id) -> worker.retryAt(id, rig.time().now().plus(Duration.ofDays(1))),
                (worker, id) -> worker.park(id, ParkReason.UNREADABLE_PAYLOAD),
                (worker, id) -> {
                    rig.store().cancel(id);
                    worker.cancelled(id);
                },
                (worker, id) -> rig.store().delete(id),
                (worker, id) -> {
                    rig.store().cancel(id);
                    rig.lose(worker);
                });
        rig.policy("gate a", "concurrency 1; budget 3").policy("queue mail", "concurrency 1");
        for (BiConsumer<ScriptedWorker, JobId> way : ways) {
            ScriptedWorker worker = rig.worker("mail");
            JobId id = rig.enqueue(job("mail").gate("a").cost(3));
            assertThat(worker.claim(2)).containsExactly(id);
            way.accept(worker, id);
            assertThat(rig.leases("gate a")).isZero();
            assertThat(rig.gate("gate a").units()).isZero();
            assertThat(rig.leases("queue mail")).isZero();
        }
    }

    @Test
    default void allFreedPlacesAreRefilledAtOnceAndNotOnePerEvent(Rig rig) {
        rig.policy("gate a", "concurrency 5");
        ScriptedWorker lost = rig.worker("mail");
        List<JobId> ids = rig.enqueue(10, job("mail").gate("a"));
        assertThat(lost.claim(9)).isEqualTo(ids.subList(0, 5));
        rig.lose(lost);
        ScriptedWorker next = rig.worker("mail");
        assertThat(next.claim(9)).isEqualTo(ids.subList(0, 5));
        next.finishAll();
        assertThat(next.turn(9).started()).hasSize(5);
    }

    @Test
    default void oneStoredPolicyDecidesForEveryJobWhoeverEnqueuedIt(Rig rig) {
        rig.policy("gate a", "concurrency 3");
        rig.enqueue(3, job("mail").gate("a"));
        rig.policy("gate a", "concurrency 1");
        rig.enqueue(3, job("video").gate("a"));
        assertThat(rig.worker("mail", "video").claim(9)).hasSize(1);
        assertThat(rig.store().policies().stored()).hasSize(1);
    }

    @Test
    default void aBudgetAllowsEqualityDeniesOneMoreAndLetsZeroPass(Rig rig) {
        rig.policy("gate gpu", "budget 5");
        ScriptedWorker worker = rig.worker("video");
        JobId four = rig.enqueue(job("video").gate("gpu").cost(4));
        assertThat(worker.claim(1)).containsExactly(four);
        JobId two = rig.enqueue(job("video").gate("gpu").cost(2));
        assertThat(worker.claim(1)).isEmpty();
        assertThat(rig.explain(two).summary()).contains("4 of 5 units in use, 2 asked");
        rig.store().cancel(two);
        JobId one = rig.enqueue(job("video").gate("gpu").cost(1));
        JobId zero = rig.enqueue(job("video").gate("gpu").cost(0));
        assertThat(worker.claim(5)).containsExactly(one, zero);
    }

    @Test
    default void everyPathIntoTheQueueObeysTheSameGates(Rig rig) {
        rig.policy("gate a", "concurrency 1");
        ScriptedWorker worker = rig.worker("mail");
        JobId holder = rig.enqueue(job("mail").gate("a"));
        assertThat(worker.claim(9)).containsExactly(holder);
        JobId single = rig.enqueue(job("mail").gate("a"));
        List<JobId> bulk = rig.enqueue(2, job("mail").gate("a"));
        JobId scheduled = rig.enqueue(job("mail").gate("a").after(Duration.ofSeconds(1)));
        JobId requeued = rig.enqueue(job("mail").gate("a").after(Duration.ofDays(1)));
        JobId revived = rig.enqueue(job("mail").gate("a"));
        JobId freed = rig.enqueue(job("mail").gate("a").after(Unmet.IGNORE, revived));
        rig.store().cancel(revived);
        rig.store().retry(revived);
        rig.store().reschedule(requeued, null);
        rig.advance(Duration.ofSeconds(1));
        assertThat(worker.claim(9)).isEmpty();
        worker.retryAfter(holder, Duration.ofSeconds(1));
        rig.advance(Duration.ofSeconds(1));
        List<JobId> order = new ArrayList<>();
        while (order.size() < 8) {
            List<JobId> started = worker.claim(9);
            assertThat(started).hasSize(1);
            order.addAll(started);
            worker.finishAll();
        }
        assertThat(order)
                .as("by when each came into the lane: freed by the cancel, then revived, then made due, then due")
                .containsExactly(holder, single, bulk.get(0), bulk.get(1), freed, revived, requeued, scheduled);
    }

    @Test
    default void jobsOfSchedulesStepsAndEntryActionsObeyTheSameGates(Rig rig) {
        rig.policy("gate a", "concurrency 1");
        Workflow<String, String> flow = Workflow.named("flow", 1, String.class)
                .then("step", (text, step) -> text, s -> s.gate("a"))
                .build();
        Machine<String> machine = Machine.named("machine", 1, String.class)
                .initial("new")
                .state(
                        "new",
                        s -> s.onEntry("act", (text, step) -> text, o -> o.gate("a"))
                                .onDone()
                                .goTo("old"))
                .finalState("old")
                .build();
        WorkflowRig play = new WorkflowRig(rig, "default").register(flow).register(machine);
        ScriptedWorker worker = rig.worker("mail");
        JobId holder = rig.enqueue(job("mail").gate("a"));
        assertThat(worker.claim(9)).containsExactly(holder);
        NewJob draft = job("mail").gate("a").build();
        Schedule minutely = Schedule.every(Duration.ofMinutes(1));
        rig.schedules().put("s", ScheduleTerms.of(minutely, draft.spec(), Duration.ZERO));
        play.workflows().start(flow, "");
        rig.advance(Duration.ofMinutes(1));
        assertThat(rig.schedules().fire().runs()).isEqualTo(1);
        play.machines().start(machine, "");
        assertThat(worker.claim(9)).isEmpty();
        assertThat(play.all()).isZero();
        worker.finish(holder);
        assertThat(worker.claim(9)).as("the step was first").isEmpty();
        assertThat(play.all()).as("the step, but not the entry action").isEqualTo(1);
        JobId scheduled = rig.schedules().runs("s", 1).getFirst().job();
        assertThat(worker.claim(9)).containsExactly(scheduled);
        assertThat(play.all()).isZero();
        worker.finish(scheduled);
        assertThat(play.all()).as("the entry action").isEqualTo(1);
    }

    @Test
    default void theNextTimeOfSeveralGatesIsTheLatestOfThem(Rig rig) {
        rig.policy("gate slow", "rate 1/10s burst 1").policy("gate fast", "rate 1/2s burst 1");
        ScriptedWorker worker = rig.worker("mail");
        List<JobId> ids = rig.enqueue(2, job("mail").gate("slow", "fast"));
        assertThat(worker.claim(2)).containsExactly(ids.getFirst());
        assertThat(worker.sleep()).isEqualTo(later(Duration.ofSeconds(10)));
        assertThat(rig.explain(ids.getLast()).times().earliest())
                .isEqualTo(rig.time().now().plus(later(Duration.ofSeconds(10))));
        rig.advance(Duration.ofSeconds(10));
        assertThat(worker.claim(2)).containsExactly(ids.getLast());
    }

    @Test
    default void aForeignADoubleAndALateReleaseChangeNothing(Rig rig) {
        rig.policy("gate a", "concurrency 2");
        ScriptedWorker worker = rig.worker("mail");
        ScriptedWorker foreign = rig.worker("mail");
        List<JobId> ids = rig.enqueue(2, job("mail").gate("a"));
        worker.claim(2);
        JobRow lease = worker.lease(ids.getFirst());
        foreign.turn(0, new EndedLease(lease, new Outcome.Succeeded(null)));
        assertThat(rig.leases("gate a")).isEqualTo(2);
        worker.finish(ids.getFirst());
        worker.turn(0, new EndedLease(lease, new Outcome.Succeeded(null)));
        assertThat(rig.leases("gate a")).isEqualTo(1);
        rig.store().delete(ids.getFirst());
        worker.turn(0, new EndedLease(lease, new Outcome.HandedBack()));
        assertThat(rig.leases("gate a")).isEqualTo(1);
        assertThat(rig.state(ids.getLast())).isEqualTo(JobState.RUNNING);
    }

    @Test
    default void nonsenseIsRefusedWithWords(Rig rig) {
        List<String> nonsense = List.of(
                "concurrency 0",
                "concurrency -1",
                "concurrency 1.5",
                "budget 0",
                "rate 0/1s",
                "rate -3/1s",
                "rate 1/0s",
                "rate 1/1s burst 0",
                "rate 1/1s burst -2",
                "rate 1",
                "window of opportunity 3",
                "rate 1/1s; rate 2/1s");
        for (String limits : nonsense) {
            assertThatIllegalArgumentException()
                    .as(limits)
                    .isThrownBy(() -> rig.policy("gate a", limits))
                    .satisfies(refused -> assertThat(refused.getMessage()).isNotBlank());
        }
        assertThat(rig.store().policies().stored()).isEmpty();
        assertThatIllegalArgumentException().isThrownBy(() -> rig.policy("gate  ", "concurrency 1"));
        assertThatIllegalArgumentException().isThrownBy(() -> rig.enqueue(job(" ")));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> rig.enqueue(job("mail").gate("")));
    }
}
