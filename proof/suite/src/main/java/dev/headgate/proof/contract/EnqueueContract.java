package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import dev.headgate.spi.Backend;
import dev.headgate.spi.NewJob;
import dev.headgate.spi.Wake;
import dev.headgate.testkit.VirtualTime;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Jobs that come in: kept as they were asked for, in their order, all of a batch or none. */
public interface EnqueueContract extends StoreFixture {
    @Test
    default void anEnqueuedJobWaitsUntilAWorkerStartsIt(Rig rig) {
        JobId id = rig.enqueue(job("mail"));
        assertThat(rig.state(id)).isEqualTo(JobState.QUEUED);
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(5)).containsExactly(id);
        assertThat(rig.state(id)).isEqualTo(JobState.RUNNING);
        assertThat(worker.claim(5)).isEmpty();
    }

    @Test
    default void sixteenGatesAreKeptAndSeventeenRefused(Rig rig) {
        String[] gates = IntStream.rangeClosed(1, 17).mapToObj(n -> "gate-" + n).toArray(String[]::new);
        String[] most = Arrays.copyOf(gates, 16);
        JobId id = rig.enqueue(job("mail").gate(most));
        assertThat(rig.status(id).spec().lane().gates()).containsExactlyInAnyOrder(most);
        assertThat(rig.worker("mail").claim(1)).containsExactly(id);
        assertThat(rig.leases("gate gate-16")).isEqualTo(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> rig.enqueue(job("mail").gate(gates)))
                .withMessageContaining("at most 16 gates on one job, got 17");
        assertThat(rig.store().list(JobFilter.all())).hasSize(1);
    }

    @Test
    default void aPageEndsAtAThousandAndTheNextHasTheRest(Rig rig) {
        List<JobId> jobs = rig.enqueue(1_001, job("mail"));
        JobFilter page = JobFilter.all().limit(1_000);
        assertThat(rig.store().list(page)).hasSize(1_000);
        assertThat(rig.store().list(page.before(jobs.get(1))))
                .singleElement()
                .satisfies(oldest -> assertThat(oldest.id()).isEqualTo(jobs.getFirst()));
    }

    @Test
    default void everythingComesBackAsItWasAskedFor(Rig rig) {
        NewJob asked = job("mail")
                .gate("b", "a", "tenant:ä'\"*%_\\")
                .type("send 'it' \uD83D\uDE80")
                .payload("{\"text\":\"Grüße, \\\"quoted\\\", \uD83D\uDE80, 'x'; --\"}")
                .cost(7)
                .priority(-3)
                .front()
                .dedup("once")
                .dedupFor(Duration.ofMillis(90_001))
                .timeout(Duration.ofNanos(1_500_000))
                .deadline(VirtualTime.START.plusNanos(3_600_000_123_000L))
                .attempts(9)
                .retry("fixed 1s")
                .build();
        long id = rig.store().enqueue(List.of(asked)).getFirst().id();
        JobStatus status = rig.status(JobId.of(id));
        assertThat(status.spec()).isEqualTo(asked.spec());
        assertThat(status.times().enqueuedAt()).isEqualTo(VirtualTime.START);
        assertThat(status.times().readySince()).isEqualTo(VirtualTime.START);
        assertThat(status.leases().attempt()).isZero();
        assertThat(status.leases().epoch()).isZero();
        assertThat(status.times().startedAt()).isNull();
        assertThat(status.leases().worker()).isNull();
    }

    @Test
    default void aLargePayloadComesBackWhole(Rig rig) {
        String payload = "\"" + "zwölf Boxkämpfer ".repeat(20_000) + "\"";
        JobId id = rig.enqueue(job("mail").payload(payload));
        assertThat(rig.status(id).spec().payload()).isEqualTo(payload);
    }

    @Test
    default void idsRiseInTheOrderOfABatchAndJobsStartInIt(Rig rig) {
        List<JobId> ids = rig.enqueue(50, job("mail"));
        assertThat(ids).isSorted().doesNotHaveDuplicates().hasSize(50);
        assertThat(rig.worker("mail").claimAll()).isEqualTo(ids);
    }

    @Test
    default void aBatchOfThousandsIsTakenInOneGo(Rig rig) {
        List<JobId> ids = rig.enqueue(3_000, job("mail").gate("a"));
        assertThat(rig.count("mail", JobState.QUEUED)).isEqualTo(3_000);
        assertThat(rig.worker("mail").claimAll()).isEqualTo(ids);
    }

    @Test
    default void anEmptyBatchAddsNothing(Rig rig) {
        assertThat(rig.store().enqueue(List.of())).isEmpty();
    }

    @Test
    default void aBatchWithOneImpossibleJobAddsNone(Rig rig) {
        rig.policy("gate gpu", "budget 4");
        List<NewJob> batch =
                List.of(job("mail").build(), job("mail").gate("gpu").cost(5).build());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> rig.store().enqueue(batch))
                .withMessageContaining("gate gpu")
                .withMessageContaining("costs 5 units, the budget is 4");
        assertThat(rig.count("mail", JobState.QUEUED)).isZero();
    }

    @Test
    default void higherPriorityFirstThenFrontThenOrder(Rig rig) {
        JobId plain = rig.enqueue(job("mail").gate("a"));
        JobId low = rig.enqueue(job("mail").gate("a").priority(-1));
        JobId second = rig.enqueue(job("mail").gate("a"));
        JobId front = rig.enqueue(job("mail").gate("a").front());
        JobId newerFront = rig.enqueue(job("mail").gate("a").front());
        JobId high = rig.enqueue(job("mail").gate("a").priority(5));
        assertThat(rig.worker("mail").claimAll()).containsExactly(high, newerFront, front, plain, second, low);
    }

    @Test
    default void orderHoldsOverTheLanesOfAQueue(Rig rig) {
        JobId first = rig.enqueue(job("mail"));
        JobId second = rig.enqueue(job("mail").gate("a"));
        JobId third = rig.enqueue(job("mail").gate("b"));
        JobId fourth = rig.enqueue(job("mail"));
        JobId urgent = rig.enqueue(job("mail").gate("b").priority(1));
        assertThat(rig.worker("mail").claim(5)).containsExactly(urgent, first, second, third, fourth);
    }

    @Test
    default void aWorkerGetsOnlyJobsOfItsQueuesAndNoMoreThanItsSlots(Rig rig) {
        List<JobId> mail = rig.enqueue(3, job("mail"));
        List<JobId> video = rig.enqueue(3, job("video").gate("gpu"));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(2)).isEqualTo(mail.subList(0, 2));
        assertThat(rig.worker("video").claim(1)).isEqualTo(video.subList(0, 1));
        assertThat(worker.claim(9)).isEqualTo(mail.subList(2, 3));
    }

    @Test
    default void oneWorkerMayServeManyQueues(Rig rig) {
        JobId first = rig.enqueue(job("a"));
        JobId second = rig.enqueue(job("b").gate("g"));
        JobId third = rig.enqueue(job("c"));
        assertThat(rig.worker("a", "b", "c").claim(3)).containsExactlyInAnyOrder(first, second, third);
    }

    @Test
    default void aJobThatNobodyEnqueuedIsNotThere(Rig rig) {
        assertThat(rig.store().find(JobId.of(4711))).isNull();
        assertThat(rig.store().explain(JobId.of(4711))).isNull();
    }

    @Test
    default void anEnqueueWakesThoseWhoListen(Rig rig) {
        List<Wake> heard = new CopyOnWriteArrayList<>();
        try (Backend.Subscription listening = rig.store().backend().listen(heard::add)) {
            rig.enqueue(job("mail"));
            assertThat(heard).contains(new Wake.Queue("mail"));
        }
    }
}
