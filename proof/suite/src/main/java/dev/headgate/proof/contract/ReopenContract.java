package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.headgate.internal.lease.WorkerLostException;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A store that was closed and opened again is the same store: jobs, tokens, lines, leases and policies remain. */
public interface ReopenContract extends StoreFixture {
    private void restart(Rig rig) {
        rig.store().close();
        rig.reopenedAs(reopen(rig.time()));
    }

    @Test
    default void jobsAndTheirOrderRemain(Rig rig) {
        List<JobId> ids = rig.enqueue(5, job("mail").gate("a").payload("{\"n\":1}"));
        JobId delayed = rig.enqueue(job("mail").after(Duration.ofSeconds(5)));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(2);
        worker.finish(ids.get(0), "\"done\"");
        worker.fail(ids.get(1), "no");
        List<JobStatus> before = rig.store().list(JobFilter.all());
        restart(rig);
        assertThat(rig.store().list(JobFilter.all())).isEqualTo(before);
        assertThat(worker.claim(9)).isEqualTo(ids.subList(2, 5));
        rig.advance(Duration.ofSeconds(5));
        assertThat(worker.claim(9)).containsExactly(delayed);
        assertThat(rig.enqueue(job("mail"))).isGreaterThan(delayed);
    }

    @Test
    default void spentTokensStaySpent(Rig rig) {
        rig.policy("gate api", "rate 1/1s burst 2 margin none").policy("queue mail", "rate 1/1s burst 2 margin none");
        rig.enqueue(4, job("mail").gate("api"));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(9)).hasSize(2);
        restart(rig);
        assertThat(worker.claim(9)).isEmpty();
        rig.advance(Duration.ofSeconds(1));
        restart(rig);
        assertThat(worker.claim(9)).hasSize(1);
    }

    @Test
    default void leasesAndPlacesRemain(Rig rig) {
        rig.policy("gate a", "concurrency 1");
        List<JobId> ids = rig.enqueue(2, job("mail").gate("a"));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(2)).containsExactly(ids.getFirst());
        restart(rig);
        assertThat(rig.state(ids.getFirst())).isEqualTo(JobState.RUNNING);
        assertThat(worker.claim(2)).isEmpty();
        assertThat(worker.heartbeat().toStop()).isEmpty();
        assertThat(worker.finish(ids.getFirst())).isTrue();
        assertThat(worker.claim(2)).containsExactly(ids.getLast());
    }

    @Test
    default void aWorkerThatWasLostMeanwhileIsLost(Rig rig) {
        JobId id = rig.enqueue(job("mail").gate("a"));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(1);
        worker.crash();
        rig.store().close();
        rig.time().advance(Duration.ofMinutes(5));
        rig.reopenedAs(reopen(rig.time()));
        assertThatExceptionOfType(WorkerLostException.class).isThrownBy(worker::heartbeat);
        assertThat(rig.store().reap()).isEqualTo(1);
        ScriptedWorker next = rig.worker("mail");
        assertThat(next.claim(1)).containsExactly(id);
        assertThat(next.lease(id).lease().epoch()).isEqualTo(2);
    }

    @Test
    default void policiesDoorbellsAndLinesRemain(Rig rig) {
        rig.policy("gate a", "concurrency 1");
        ScriptedWorker worker = rig.worker("mail", "video");
        JobId holder = rig.enqueue(job("mail").gate("a"));
        worker.claim(1);
        JobId inLine = rig.enqueue(job("mail").gate("a"));
        assertThat(worker.claim(1)).isEmpty();
        JobId rungOnly = rig.enqueue(job("video").gate("b"));
        restart(rig);
        assertThat(rig.gate("gate a").policy()).isEqualTo("concurrency 1");
        assertThat(rig.gate("gate a").line().lanes()).isEqualTo(1);
        assertThat(worker.claim(9)).containsExactly(rungOnly);
        worker.finish(holder);
        assertThat(worker.claim(9)).containsExactly(inLine);
    }

    @Test
    default void attemptsLogAndDedupKeysRemain(Rig rig) {
        ScriptedWorker worker = rig.worker("mail");
        JobId id = rig.enqueue(job("mail").dedup("k"));
        worker.claim(1);
        worker.report(id, new JobStatus.Progress(40, "forty"), "a line");
        worker.retryNow(id);
        worker.report(id, new JobStatus.Progress(50, "fifty"));
        restart(rig);
        assertThat(rig.store().attempts(id)).hasSize(1);
        assertThat(rig.store().log(id)).hasSize(1);
        assertThat(rig.status(id).report().progress()).isEqualTo(new JobStatus.Progress(50, "fifty"));
        assertThat(rig.insert(job("mail").dedup("k")).isNew()).isFalse();
    }
}
