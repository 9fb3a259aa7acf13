package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.job.JobCursor;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.job.JobPage;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.job.ParkReason;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import dev.headgate.spi.JobIds;
import dev.headgate.status.QueueCount;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Lists and counts of jobs: whatever is asked for is found, whichever way the store looks for it. */
public interface ListingContract extends StoreFixture {
    /** One job in every state, of the queue {@code mail}. */
    private static Map<JobState, JobId> oneOfEach(Rig rig) {
        ScriptedWorker worker = rig.worker("mail");
        Map<JobState, JobId> jobs = new EnumMap<>(JobState.class);
        for (JobState state : List.of(JobState.SUCCEEDED, JobState.FAILED, JobState.PARKED, JobState.RUNNING)) {
            jobs.put(state, rig.enqueue(job("mail").attempts(1)));
            worker.claim(1);
        }
        worker.finish(in(jobs, JobState.SUCCEEDED));
        worker.fail(in(jobs, JobState.FAILED), "broken");
        worker.park(in(jobs, JobState.PARKED), ParkReason.UNKNOWN_HANDLER);
        jobs.put(JobState.QUEUED, rig.enqueue(job("mail")));
        jobs.put(JobState.AWAITING, rig.enqueue(job("mail").after(in(jobs, JobState.QUEUED))));
        jobs.put(JobState.SCHEDULED, rig.enqueue(job("mail").after(Duration.ofHours(1))));
        jobs.put(JobState.CANCELLED, rig.enqueue(job("mail")));
        rig.store().cancel(in(jobs, JobState.CANCELLED));
        return jobs;
    }

    private static JobId in(Map<JobState, JobId> jobs, JobState state) {
        return Objects.requireNonNull(jobs.get(state));
    }

    private static List<JobId> ids(List<JobStatus> jobs) {
        return jobs.stream().map(JobStatus::id).toList();
    }

    @Test
    default void jobsAreListedByTheirState(Rig rig) {
        Map<JobState, JobId> jobs = oneOfEach(rig);
        jobs.forEach((state, id) -> {
            JobFilter filter = JobFilter.all().state(state);
            assertThat(ids(rig.store().list(filter))).containsExactly(id);
            assertThat(ids(rig.store().list(filter.queue("mail")))).containsExactly(id);
            assertThat(ids(rig.store().list(filter.type("work")))).containsExactly(id);
            assertThat(rig.store().list(filter.queue("other"))).isEmpty();
            assertThat(rig.store().list(filter.type("other"))).isEmpty();
            assertThat(rig.store().list(filter.before(id))).isEmpty();
        });
        assertThat(rig.store().list(JobFilter.all())).hasSize(JobState.values().length);
    }

    @Test
    default void theNewestOfAllQueuesComeFirst(Rig rig) {
        JobId first = rig.enqueue(job("a").after(Duration.ofHours(2)));
        JobId second = rig.enqueue(job("b").after(Duration.ofHours(1)));
        JobId third = rig.enqueue(job("a").after(Duration.ofHours(1)));
        JobFilter scheduled = JobFilter.all().state(JobState.SCHEDULED).limit(2);
        JobPage page = rig.store().page(scheduled);
        assertThat(ids(page.jobs())).containsExactly(third, second);
        assertThat(page.next()).isEqualTo(JobCursor.below(second));
        JobPage rest = rig.store().page(scheduled.before(second));
        assertThat(ids(rest.jobs())).containsExactly(first);
        assertThat(rest.next()).isNull();
    }

    @Test
    default void aLookHasAFloor(Rig rig) {
        List<JobId> jobs = rig.enqueue(5, job("mail"));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(2);
        worker.finishAll();
        JobFilter all = JobFilter.all();
        rig.store().backend().read(tx -> {
            JobIds live = tx.jobs().ids();
            assertThat(live.floor(all, 3)).isEqualTo(jobs.get(2).value());
            assertThat(live.floor(all, 4)).isNull();
            assertThat(live.floor(all.before(jobs.get(3)), 1))
                    .isEqualTo(jobs.get(2).value());
            assertThat(live.list(all.type("work"), 2))
                    .containsExactly(jobs.get(4).value(), jobs.get(3).value());
            assertThat(live.list(all.type("other"), 2)).isEmpty();
            JobIds ended = tx.history().ids();
            assertThat(ended.floor(all, 2)).isEqualTo(jobs.get(0).value());
            assertThat(ended.floor(all.before(jobs.get(0)), 1)).isNull();
            assertThat(ended.list(all.state(JobState.SUCCEEDED), 1))
                    .containsExactly(jobs.get(1).value());
            assertThat(ended.floor(all.state(JobState.FAILED), 3)).isNull();
            return null;
        });
    }

    @Test
    default void countsFollowWhateverBecomesOfJobs(Rig rig) {
        Map<JobState, JobId> jobs = oneOfEach(rig);
        for (JobState state : JobState.values()) {
            assertThat(rig.count("mail", state)).as("%s", state).isEqualTo(1);
        }
        rig.store().retry(in(jobs, JobState.FAILED));
        rig.store().retry(in(jobs, JobState.CANCELLED));
        assertThat(rig.count("mail", JobState.QUEUED)).isEqualTo(3);
        rig.store().delete(in(jobs, JobState.SUCCEEDED));
        rig.store().delete(in(jobs, JobState.SCHEDULED));
        rig.store().delete(in(jobs, JobState.QUEUED));
        assertThat(rig.count("mail", JobState.SUCCEEDED)).isZero();
        assertThat(rig.count("mail", JobState.SCHEDULED)).isZero();
        rig.enqueue(job("mail").dedup("once"));
        rig.enqueue(job("mail").dedup("once"));
        rig.enqueue(job("mail").deadline(rig.time().now().plusSeconds(1)));
        rig.advance(Duration.ofSeconds(1));
        ScriptedWorker worker = rig.worker("mail");
        worker.claimAll();
        worker.finishAll();
        assertThat(rig.count("mail", JobState.QUEUED)).isZero();
        rig.advance(Duration.ofDays(1));
        rig.store().prune(Duration.ofHours(1));
        assertThat(rig.count("mail", JobState.SUCCEEDED)).isZero();
        assertThat(rig.count("mail", JobState.RUNNING)).isEqualTo(1);
    }

    /** A figure says what is, or that there may be more. */
    private static void assertCounted(List<QueueCount> counts, String queue, JobState state, long jobs) {
        assertThat(counts)
                .filteredOn(count -> count.queue().equals(queue) && count.state() == state)
                .singleElement()
                .satisfies(count -> {
                    assertThat(count.jobs()).isPositive().isLessThanOrEqualTo(jobs);
                    assertThat(count.isMore() || count.jobs() == jobs)
                            .as("%s of %d", count, jobs)
                            .isTrue();
                });
    }

    @Test
    default void manyLiveJobsAreCountedSoFar(Rig rig) {
        rig.enqueue(3, job("old"));
        rig.policy("gate k*", "concurrency 1");
        for (int i = 0; i < 30; i++) {
            rig.enqueue(job("gated").gate("k" + i % 7));
        }
        ScriptedWorker worker = rig.worker("gated");
        worker.claim(2);
        rig.enqueue(25, job("mail"));
        rig.enqueue(25, job("mail").after(Duration.ofHours(1)));
        rig.enqueue(2, job("gated").gate("k-new"));
        for (int max : new int[] {5, 20, 40, 1_000}) {
            List<QueueCount> counts = rig.store().backend().read(tx -> tx.jobs().counts(max));
            assertCounted(counts, "old", JobState.QUEUED, 3);
            assertCounted(counts, "gated", JobState.QUEUED, 30);
            assertCounted(counts, "gated", JobState.RUNNING, 2);
            assertCounted(counts, "mail", JobState.QUEUED, 25);
            assertCounted(counts, "mail", JobState.SCHEDULED, 25);
            assertThat(counts).hasSize(5);
            assertThat(counts)
                    .as("counted up to %d", max)
                    .filteredOn(count -> count.isMore() && count.jobs() < max)
                    .isEmpty();
        }
    }

    @Test
    default void manyEndedJobsAreCountedSoFar(Rig rig) {
        ScriptedWorker worker = rig.worker("mail");
        List<JobId> failing = rig.enqueue(2, job("mail").attempts(1));
        worker.claimAll();
        failing.forEach(id -> worker.fail(id, "broken"));
        rig.enqueue(25, job("mail"));
        worker.claimAll();
        worker.finishAll();
        for (int max : new int[] {5, 26, 1_000}) {
            List<QueueCount> counts =
                    rig.store().backend().read(tx -> tx.history().counts(max));
            assertCounted(counts, "mail", JobState.SUCCEEDED, 25);
            assertCounted(counts, "mail", JobState.FAILED, 2);
            assertThat(counts).hasSize(2);
        }
        List<QueueCount> few = rig.store().backend().read(tx -> tx.history().counts(5));
        assertThat(few)
                .filteredOn(count -> count.state() == JobState.FAILED)
                .singleElement()
                .satisfies(count -> assertThat(count.isMore()).isFalse());
    }
}
