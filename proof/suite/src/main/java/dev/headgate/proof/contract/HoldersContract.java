package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.headgate.internal.query.BacklogStore;
import dev.headgate.job.JobCursor;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.job.JobPage;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.limit.GateKey;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import dev.headgate.status.Overview;
import dev.headgate.status.Overview.Line;
import dev.headgate.status.QueueCount;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which jobs hold places of a gate, and which wait because of it. */
public interface HoldersContract extends StoreFixture {
    private static List<JobId> ids(Rig rig, JobFilter filter) {
        return ids(rig.store().list(filter));
    }

    private static List<JobId> ids(List<JobStatus> jobs) {
        return jobs.stream().map(JobStatus::id).toList();
    }

    private static JobFilter holding(String gate) {
        return JobFilter.all().holding(gate);
    }

    private static JobFilter waiting(String gate) {
        return JobFilter.all().waiting(gate);
    }

    @Test
    default void holdersRunAndThoseThatWaitStandInLine(Rig rig) {
        rig.policy("gate api", "concurrency 2");
        List<JobId> jobs = rig.enqueue(4, job("mail").gate("api"));
        JobId later = rig.enqueue(job("mail").gate("api").after(Duration.ofHours(1)));
        JobId other = rig.enqueue(job("mail").gate("api2"));
        JobId plain = rig.enqueue(job("mail"));
        assertThat(ids(rig, waiting("api"))).as("no claim has judged it").isEmpty();
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(9)).containsExactlyInAnyOrder(jobs.get(0), jobs.get(1), other, plain);
        assertThat(ids(rig, holding("api"))).containsExactly(jobs.get(1), jobs.get(0));
        assertThat(ids(rig, holding("api").before(jobs.get(1)))).containsExactly(jobs.get(0));
        assertThat(ids(rig, holding("api2"))).containsExactly(other);
        assertThat(ids(rig, waiting("api"))).containsExactly(jobs.get(2), jobs.get(3));
        assertThat(ids(rig, waiting("api2"))).isEmpty();
        worker.finish(jobs.get(0));
        assertThat(ids(rig, holding("api"))).containsExactly(jobs.get(1));
        JobFilter named = JobFilter.all().gate("api");
        assertThat(ids(rig, named)).containsExactly(later, jobs.get(3), jobs.get(2), jobs.get(1), jobs.get(0));
        assertThat(ids(rig, named.state(JobState.SUCCEEDED))).containsExactly(jobs.get(0));
        assertThat(ids(rig, named.state(JobState.SCHEDULED))).containsExactly(later);
        assertThat(ids(rig, named.state(JobState.RUNNING))).containsExactly(jobs.get(1));
        assertThat(ids(rig, holding("api").state(JobState.QUEUED))).isEmpty();
        assertThat(ids(rig, waiting("api").state(JobState.RUNNING))).isEmpty();
        assertThat(ids(rig, waiting("none"))).isEmpty();
    }

    @Test
    default void jobsThatFailedAreFoundByTheirGate(Rig rig) {
        JobId gated = rig.enqueue(job("mail").gate("a", "api").attempts(1));
        JobId other = rig.enqueue(job("mail").gate("a").attempts(1));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(2);
        worker.fail(gated, "broken");
        worker.fail(other, "broken");
        JobFilter failed = JobFilter.all().state(JobState.FAILED);
        assertThat(ids(rig, failed.gate("api"))).containsExactly(gated);
        assertThat(ids(rig, failed.gate("a"))).containsExactly(other, gated);
        assertThat(rig.store().redrive(failed.holding("a"))).isZero();
        assertThat(rig.store().redrive(failed.waiting("a"))).isZero();
        assertThat(rig.store().redrive(failed.gate("api"))).isEqualTo(1);
        assertThat(rig.state(other)).isEqualTo(JobState.FAILED);
    }

    /** Lanes of three keys and two queues, whose jobs come in turns and with other priorities. */
    private static List<JobId> line(Rig rig) {
        rig.policy("gate api", "concurrency 1");
        rig.enqueue(job("mail").gate("api"));
        ScriptedWorker worker = rig.worker("mail", "web");
        worker.claim(1);
        List<JobId> jobs = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            jobs.add(rig.enqueue(
                    job(i % 4 == 3 ? "web" : "mail").gate("api", "k" + i % 3).type(i % 5 == 0 ? "fifth" : "work")));
        }
        JobId urgent = rig.enqueue(job("mail").gate("api", "k1").priority(5));
        assertThat(worker.claimAll()).as("each lane is judged").isEmpty();
        jobs.addFirst(urgent);
        return jobs;
    }

    @Test
    default void aLineIsListedInItsOrderPageByPage(Rig rig) {
        List<JobId> order = line(rig);
        assertThat(ids(rig, waiting("api"))).containsExactlyElementsOf(order);
        for (int limit : new int[] {1, 2, 5, 13}) {
            List<JobId> found = new ArrayList<>();
            JobFilter filter = waiting("api").limit(limit);
            JobPage page = rig.store().page(filter);
            while (page.next() != null) {
                assertThat(page.jobs()).hasSize(limit);
                found.addAll(ids(page.jobs()));
                page = rig.store().page(filter.after(JobCursor.parse(page.next().text())));
            }
            found.addAll(ids(page.jobs()));
            assertThat(found).as("%d a page", limit).containsExactlyElementsOf(order);
        }
    }

    @Test
    default void aLineIsListedByQueueAndType(Rig rig) {
        List<JobId> order = line(rig);
        assertThat(ids(rig, waiting("api").queue("web"))).containsExactly(order.get(4), order.get(8), order.get(12));
        assertThat(ids(rig, waiting("api").type("fifth"))).containsExactly(order.get(1), order.get(6), order.get(11));
        JobPage first = rig.store().page(waiting("api").type("fifth").limit(2));
        assertThat(ids(first.jobs())).containsExactly(order.get(1), order.get(6));
        assertThat(first.isPartial()).isFalse();
        assertThat(ids(rig, waiting("api").type("fifth").limit(2).after(JobCursor.behind(Long.MIN_VALUE, 0))))
                .containsExactly(order.get(1), order.get(6));
    }

    @Test
    default void aGateCountsTheJobsThatWaitBecauseOfIt(Rig rig) {
        rig.policy("gate full", "concurrency 1");
        assertThat(rig.gate("gate full").line()).isEqualTo(Line.NONE);
        List<JobId> order = line(rig);
        rig.enqueue(2, job("mail").gate("open"));
        rig.enqueue(2, job("mail").gate("api", "k0").after(Duration.ofHours(1)));
        assertThat(rig.gate("gate api").line()).isEqualTo(new Line(6, order.size(), false));
        assertThat(rig.gate("gate full").line()).isEqualTo(Line.NONE);
        GateKey api = GateKey.gate("api");
        GateKey full = GateKey.gate("full");
        rig.store().backend().read(tx -> {
            assertThat(tx.demand().inLines(List.of(api, full), 5)).isEqualTo(Map.of(api, 5L, full, 0L));
            assertThat(tx.demand().inLines(List.of(api), order.size())).isEqualTo(Map.of(api, (long) order.size()));
            return null;
        });
        Overview exact = new BacklogStore(rig.store().backend()).exactOverview(100);
        assertThat(exact.gates())
                .filteredOn(gate -> gate.key().equals(api))
                .singleElement()
                .satisfies(gate -> assertThat(gate.line()).isEqualTo(new Line(6, order.size(), false)));
        assertThat(exact.jobs()).noneMatch(QueueCount::isMore);
        rig.store().cancel(order.get(3));
        assertThat(rig.gate("gate api").line().jobs()).isEqualTo(order.size() - 1L);
    }

    /** The more lines there are, the fewer jobs of each are counted. */
    @Test
    default void aLongLineIsCountedSoFar(Rig rig) {
        rig.policy("gate k*", "concurrency 1");
        for (int i = 0; i < 3; i++) {
            rig.enqueue(103, job("mail").gate("k" + i));
        }
        rig.worker("mail").claimAll();
        rig.store().backend().read(tx -> {
            Map<GateKey, Long> jobs =
                    tx.demand().inLines(List.of(GateKey.gate("k0"), GateKey.gate("k2"), GateKey.gate("none")), 100);
            assertThat(jobs).containsEntry(GateKey.gate("k0"), 100L).containsEntry(GateKey.gate("none"), 0L);
            return null;
        });
        assertThat(rig.gate("gate k1").line()).isEqualTo(new Line(1, 102, false));
    }

    @Test
    default void aJobSaysAtWhichGateItWaits(Rig rig) {
        rig.policy("gate api", "concurrency 1").policy("gate other", "concurrency 1");
        JobId first = rig.enqueue(job("mail").gate("api"));
        JobId second = rig.enqueue(job("mail").gate("api"));
        JobId later = rig.enqueue(job("mail").gate("api").after(Duration.ofHours(1)));
        JobId both = rig.enqueue(job("mail").gate("other", "api"));
        JobId plain = rig.enqueue(job("idle"));
        assertThat(rig.status(second).waitingAt()).as("no claim has judged it").isNull();
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claimAll()).containsExactly(first);
        assertThat(rig.store().list(JobFilter.all()))
                .extracting(JobStatus::id, JobStatus::waitingAt)
                .containsExactly(
                        tuple(plain, null),
                        tuple(both, "api"),
                        tuple(later, null),
                        tuple(second, "api"),
                        tuple(first, null));
        assertThat(rig.status(second).waitingAt()).isEqualTo("api");
        assertThat(rig.store().list(waiting("api")))
                .extracting(JobStatus::waitingAt)
                .containsExactly("api", "api");
        worker.finish(first);
        rig.policy("gate api", "concurrency 9");
        assertThat(rig.status(second).waitingAt()).as("the line moves").isNull();
    }

    @Test
    default void jobsOfOneRankAreListedOnce(Rig rig) {
        rig.policy("gate api", "concurrency 1");
        rig.enqueue(job("mail").gate("api"));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(1);
        List<JobId> order = rig.enqueue(4, job("mail").gate("api"));
        worker.claim(1);
        rig.store().backend().read(tx -> {
            List<Long> ranks = tx
                    .jobs()
                    .findAll(order.stream().map(JobId::value).toList())
                    .stream()
                    .map(row -> row.place().rank())
                    .toList();
            assertThat(ranks).doesNotHaveDuplicates();
            return null;
        });
        JobPage second = rig.store().page(waiting("api").limit(1).after(cursor(rig, order.get(0))));
        assertThat(ids(second.jobs())).containsExactly(order.get(1));
        JobCursor beside =
                new JobCursor(cursor(rig, order.get(1)).rank(), order.get(1).value() - 1);
        assertThat(ids(rig, waiting("api").after(beside)))
                .as("of jobs of one rank, those with higher numbers are left")
                .containsExactly(order.get(1), order.get(2), order.get(3));
    }

    private static JobCursor cursor(Rig rig, JobId job) {
        return rig.store()
                .backend()
                .read(tx -> JobCursor.behind(
                        tx.jobs()
                                .findAll(List.of(job.value()))
                                .getFirst()
                                .place()
                                .rank(),
                        job.value()));
    }

    @Test
    default void aCursorOfAnotherOrderIsRefused(Rig rig) {
        assertThatThrownBy(() -> rig.store().page(waiting("api").before(new JobId(7))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "cursor: expected one of a list of jobs that wait at a gate, got 'n7', which is of a list that"
                                + " has the newest jobs first");
        assertThatThrownBy(() -> rig.store().page(holding("api").after(JobCursor.behind(3, 7))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected one of a list that has the newest jobs first, got 'l3.7'");
    }
}
