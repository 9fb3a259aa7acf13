package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.job.JobPage;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.job.ParkReason;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Jobs are found by what no index knows of them, in pages that are bounded. */
public interface SearchContract extends StoreFixture {
    private static List<JobId> found(Rig rig, JobFilter filter) {
        return ids(rig.store().list(filter));
    }

    private static List<JobId> ids(List<JobStatus> jobs) {
        return jobs.stream().map(JobStatus::id).toList();
    }

    @Test
    default void jobsAreFoundByTheirWorker(Rig rig) {
        List<JobId> jobs = rig.enqueue(4, job("mail"));
        ScriptedWorker first = rig.register("first", "mail");
        first.claim(2);
        ScriptedWorker second = rig.register("second", "mail");
        second.claim(1);
        first.finish(jobs.get(0));
        JobFilter all = JobFilter.all();
        assertThat(found(rig, all.worker(first.id()))).containsExactly(jobs.get(1), jobs.get(0));
        assertThat(found(rig, all.worker(first.id()).state(JobState.RUNNING))).containsExactly(jobs.get(1));
        assertThat(found(rig, all.worker(second.id()))).containsExactly(jobs.get(2));
        assertThat(found(rig, all.worker("nobody"))).isEmpty();
    }

    @Test
    default void jobsAreFoundByTheirTimes(Rig rig) {
        Instant begin = rig.time().now();
        List<JobId> jobs = new ArrayList<>();
        ScriptedWorker worker = rig.worker("mail");
        for (int i = 0; i < 3; i++) {
            jobs.add(rig.enqueue(job("mail")));
            rig.advance(Duration.ofSeconds(1));
            worker.claim(1);
            rig.advance(Duration.ofSeconds(1));
            worker.finishAll();
        }
        JobId live = rig.enqueue(job("mail"));
        JobFilter all = JobFilter.all();
        assertThat(found(rig, all.enqueued(begin.plusSeconds(2), null)))
                .containsExactly(live, jobs.get(2), jobs.get(1));
        assertThat(found(rig, all.enqueued(begin.plusSeconds(2), begin.plusSeconds(4))))
                .containsExactly(jobs.get(1));
        assertThat(found(rig, all.started(null, begin.plusSeconds(3)))).containsExactly(jobs.get(0));
        assertThat(found(rig, all.started(null, begin.plusSeconds(3).plusNanos(1_000))))
                .containsExactly(jobs.get(1), jobs.get(0));
        assertThat(found(rig, all.ended(begin.plusSeconds(4), null))).containsExactly(jobs.get(2), jobs.get(1));
        assertThat(found(rig, all.ended(null, begin.plusSeconds(4)))).containsExactly(jobs.get(0));
    }

    @Test
    default void jobsAreFoundByTheirErrors(Rig rig) {
        List<JobId> jobs = rig.enqueue(4, job("mail").attempts(1));
        JobId again = rig.enqueue(job("mail"));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(5);
        worker.fail(jobs.get(0), "429 Too Many Requests\nat line 2: 100%_done");
        worker.fail(jobs.get(1), "connection reset");
        worker.finish(jobs.get(2));
        worker.park(jobs.get(3), ParkReason.UNKNOWN_HANDLER);
        worker.fail(again, "429 once");
        JobFilter all = JobFilter.all();
        assertThat(found(rig, all.error("429"))).containsExactly(again, jobs.get(0));
        assertThat(found(rig, all.error("429").state(JobState.FAILED).before(again)))
                .containsExactly(jobs.get(0));
        assertThat(found(rig, all.error("100%_"))).as("as it is written").containsExactly(jobs.get(0));
        assertThat(found(rig, all.error("Reset"))).isEmpty();
        assertThat(rig.store().redrive(all.state(JobState.FAILED).error("reset")))
                .isEqualTo(1);
        assertThat(rig.state(jobs.get(1))).isEqualTo(JobState.QUEUED);
        assertThat(rig.state(jobs.get(0))).as("another error").isEqualTo(JobState.FAILED);
    }

    @Test
    default void jobsAreFoundByAFieldOfTheirPayloads(Rig rig) {
        JobId number = rig.enqueue(job("mail").payload("{\"customer\":{\"id\":42.0},\"vip\":true}"));
        JobId text = rig.enqueue(job("mail").payload("{\"customer\":{\"id\":\"42\"},\"vip\":null}"));
        JobId other = rig.enqueue(job("mail").payload("{\"customer\":{\"id\":421},\"note\":\"customer.id\"}"));
        rig.enqueue(job("mail").payload("[42]"));
        JobFilter all = JobFilter.all();
        assertThat(found(rig, all.payload("customer.id", "42"))).containsExactly(text, number);
        assertThat(found(rig, all.payload("vip", "true"))).containsExactly(number);
        assertThat(found(rig, all.payload("vip", "null"))).containsExactly(text);
        assertThat(found(rig, all.payload("note", "customer.id"))).containsExactly(other);
        assertThat(found(rig, all.payload("customer", "42"))).isEmpty();
        rig.worker("mail").claim(1);
        assertThat(found(rig, all.payload("customer.id", "42").state(JobState.RUNNING)))
                .containsExactly(number);
    }

    @Test
    default void thoseThatWaitAtAGateAreSearchedToo(Rig rig) {
        rig.policy("gate api", "concurrency 1");
        for (int i = 0; i < 4; i++) {
            rig.enqueue(job("mail").gate("api").payload("{\"n\":%d}".formatted(i)));
        }
        rig.worker("mail").claimAll();
        JobFilter waiting = JobFilter.all().waiting("api");
        assertThat(found(rig, waiting.payload("n", "2"))).hasSize(1);
        assertThat(found(rig, waiting.payload("n", "0"))).as("it runs").isEmpty();
        assertThat(found(rig, JobFilter.all().holding("api").payload("n", "0"))).hasSize(1);
        assertThat(found(rig, JobFilter.all().holding("api").payload("n", "2"))).isEmpty();
    }

    /** One look reads 5,000 jobs at most; the page says so, and its cursor goes on. */
    @Test
    default void aPageThatReadALotIsPartialAndGoesOn(Rig rig) {
        JobId oldest = rig.enqueue(job("mail").payload("{\"n\":1}"));
        rig.enqueue(5_100, job("mail").payload("{\"n\":2}"));
        JobFilter filter = JobFilter.all().payload("n", "1");
        JobPage page = rig.store().page(filter);
        assertThat(page.jobs()).isEmpty();
        assertThat(page.isPartial()).isTrue();
        assertThat(page.looked()).isEqualTo(5_000);
        assertThat(page.next()).isNotNull();
        JobPage rest = rig.store().page(filter.after(Objects.requireNonNull(page.next())));
        assertThat(ids(rest.jobs())).containsExactly(oldest);
        assertThat(rest.isPartial()).isFalse();
        assertThat(rest.next()).isNull();
        assertThat(found(rig, filter)).containsExactly(oldest);
        assertThat(rig.store().page(filter.payload("n", "2").limit(3)).jobs()).hasSize(3);
    }
}
