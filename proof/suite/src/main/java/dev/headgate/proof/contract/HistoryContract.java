package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.job.JobStore;
import dev.headgate.job.Attempt;
import dev.headgate.job.Cost;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.job.JobStatus.Progress;
import dev.headgate.job.LogLine;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import dev.headgate.spi.EndPosition;
import dev.headgate.spi.HistoryTable.EndedJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What remains of jobs: results, failed attempts, log lines, lists; and that it goes when it should. */
public interface HistoryContract extends StoreFixture {
    @Test
    default void aResultIsKeptAsItWasGiven(Rig rig) {
        JobId id = rig.enqueue(job("mail").gate("a").cost(3));
        ScriptedWorker worker = rig.worker("mail");
        rig.advance(Duration.ofSeconds(1));
        worker.claim(1);
        Instant started = rig.time().now();
        rig.advance(Duration.ofSeconds(2));
        String result = "{\"sent\": true, \"to\": \"Zoë \uD83D\uDE80\", \"nested\": [1, 2.50, null]}";
        worker.finish(id, result);
        JobStatus status = rig.status(id);
        assertThat(status.state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(status.report().result()).isEqualTo(result);
        assertThat(status.times().startedAt()).isEqualTo(started);
        assertThat(status.times().finishedAt()).isEqualTo(started.plusSeconds(2));
        assertThat(status.leases().worker()).isEqualTo(worker.id());
        assertThat(status.spec().cost()).isEqualTo(Cost.of(3));
    }

    @Test
    default void noResultIsNoResult(Rig rig) {
        JobId id = rig.enqueue(job("mail"));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(1);
        worker.finish(id);
        assertThat(rig.status(id).report().result()).isNull();
    }

    @Test
    default void endsAreReadInTheirOrderFromAPositionOn(Rig rig) {
        List<Long> ended = new ArrayList<>();
        long begin = rig.store().backend().read(tx -> tx.now());
        for (int i = 0; i < 3; i++) {
            JobId one = rig.enqueue(job("mail").type("send"));
            JobId two = rig.enqueue(job("other"));
            rig.store().cancel(two);
            rig.store().cancel(one);
            ended.addAll(List.of(one.value(), two.value()));
            rig.advance(Duration.ofSeconds(1));
        }
        List<EndedJob> all = endedAfter(rig, new EndPosition(begin - 1, Long.MAX_VALUE), begin + 2_000_000, 100);
        assertThat(all).extracting(each -> each.position().id()).containsExactlyElementsOf(ended);
        assertThat(all.getFirst().queue()).isEqualTo("mail");
        assertThat(all.getFirst().type()).isEqualTo("send");
        assertThat(all.getFirst().state()).isEqualTo(JobState.CANCELLED);
        assertThat(endedAfter(rig, all.get(2).position(), begin + 1_999_999, 100))
                .containsExactly(all.get(3));
        assertThat(endedAfter(rig, all.get(2).position(), begin + 2_000_000, 2))
                .containsExactly(all.get(3), all.get(4));
    }

    private static List<EndedJob> endedAfter(Rig rig, EndPosition after, long until, int limit) {
        return rig.store().backend().read(tx -> tx.history().endedAfter(after, until, limit));
    }

    @Test
    default void everyFailedAttemptIsKeptInOrder(Rig rig) {
        JobId id = rig.enqueue(job("mail").attempts(9));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(1);
        worker.retryNow(id);
        rig.advance(Duration.ofSeconds(1));
        worker.retryAfter(id, Duration.ofSeconds(1));
        rig.advance(Duration.ofSeconds(1));
        worker.claim(1);
        worker.fail(id, "the last straw");
        List<Attempt> attempts = rig.store().attempts(id);
        assertThat(attempts).extracting(Attempt::number).containsExactly(1, 2, 3);
        assertThat(attempts).extracting(Attempt::epoch).containsExactly(1L, 2L, 3L);
        assertThat(attempts).extracting(Attempt::outcome).containsExactly("retried", "retried", "failed");
        assertThat(attempts.getLast().error()).isEqualTo("the last straw");
        assertThat(attempts.get(1).endedAt()).isEqualTo(rig.time().now().minusSeconds(1));
    }

    @Test
    default void progressAndLogLinesAreKept(Rig rig) {
        JobId id = rig.enqueue(job("mail"));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(1);
        assertThat(worker.report(id, new Progress(10, "begun"), "one", "two")).isTrue();
        rig.advance(Duration.ofSeconds(1));
        assertThat(worker.report(id, null, "three 'quoted' \uD83D\uDE80")).isTrue();
        assertThat(rig.status(id).report().progress()).isEqualTo(new Progress(10, "begun"));
        assertThat(worker.report(id, new Progress(50, "half"))).isTrue();
        assertThat(rig.status(id).report().progress()).isEqualTo(new Progress(50, "half"));
        worker.finish(id);
        assertThat(rig.store().log(id))
                .extracting(LogLine::text)
                .containsExactly("one", "two", "three 'quoted' \uD83D\uDE80");
        assertThat(rig.store().log(id)).extracting(LogLine::epoch).containsOnly(1L);
        assertThat(rig.store().log(id).getLast().at()).isEqualTo(rig.time().now());
    }

    @Test
    default void aNewStartForgetsProgressAndKeepsTheLog(Rig rig) {
        JobId id = rig.enqueue(job("mail"));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(1);
        worker.report(id, new Progress(90, "nearly"), "first try");
        worker.retryNow(id);
        assertThat(rig.status(id).report().progress()).isNull();
        worker.report(id, null, "second try");
        assertThat(rig.store().log(id)).extracting(LogLine::epoch).containsExactly(1L, 2L);
    }

    @Test
    default void onlyTheNewestLogLinesAreKept(Rig rig) {
        JobId id = rig.enqueue(job("mail"));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(1);
        int most = JobStore.LOG_LINES_MAX;
        for (int part = 0; part < 3; part++) {
            int from = part * 150;
            worker.report(
                    id,
                    null,
                    IntStream.range(from, from + 150).mapToObj(i -> "line " + i).toArray(String[]::new));
        }
        List<LogLine> log = rig.store().log(id);
        assertThat(log).hasSize(most);
        assertThat(log.getFirst().text()).isEqualTo("line " + (450 - most));
        assertThat(log.getLast().text()).isEqualTo("line 449");
    }

    @Test
    default void listsShowTheNewestFirstAndPageOn(Rig rig) {
        List<JobId> ids = new ArrayList<>(rig.enqueue(5, job("mail")));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(3);
        worker.finish(ids.get(1));
        worker.fail(ids.get(2), "no");
        ids.addAll(rig.enqueue(2, job("video").type("cut")));
        List<JobId> newestFirst = ids.reversed();
        assertThat(list(rig, JobFilter.all())).isEqualTo(newestFirst);
        assertThat(list(rig, JobFilter.all().limit(3))).isEqualTo(newestFirst.subList(0, 3));
        assertThat(list(rig, JobFilter.all().limit(3).before(newestFirst.get(2))))
                .isEqualTo(newestFirst.subList(3, 6));
        assertThat(list(rig, JobFilter.all().limit(3).before(newestFirst.get(5))))
                .containsExactly(ids.getFirst());
        assertThat(list(rig, JobFilter.all().queue("video"))).containsExactly(ids.get(6), ids.get(5));
        assertThat(list(rig, JobFilter.all().type("cut"))).containsExactly(ids.get(6), ids.get(5));
        assertThat(list(rig, JobFilter.all().state(JobState.FAILED))).containsExactly(ids.get(2));
        assertThat(list(rig, JobFilter.all().state(JobState.RUNNING))).containsExactly(ids.getFirst());
        assertThat(list(rig, JobFilter.all().state(JobState.QUEUED).queue("mail")))
                .containsExactly(ids.get(4), ids.get(3));
        assertThat(list(rig, JobFilter.all().queue("nobody's"))).isEmpty();
    }

    private static List<JobId> list(Rig rig, JobFilter filter) {
        return rig.store().list(filter).stream().map(JobStatus::id).toList();
    }

    @Test
    default void countsAreExactInEveryState(Rig rig) {
        List<JobId> ids = rig.enqueue(6, job("mail"));
        rig.enqueue(job("mail").after(Duration.ofDays(1)));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(4);
        worker.finish(ids.get(0));
        worker.fail(ids.get(1), "no");
        rig.store().cancel(ids.get(5));
        assertThat(rig.count("mail", JobState.SCHEDULED)).isEqualTo(1);
        assertThat(rig.count("mail", JobState.QUEUED)).isEqualTo(1);
        assertThat(rig.count("mail", JobState.RUNNING)).isEqualTo(2);
        assertThat(rig.count("mail", JobState.SUCCEEDED)).isEqualTo(1);
        assertThat(rig.count("mail", JobState.FAILED)).isEqualTo(1);
        assertThat(rig.count("mail", JobState.CANCELLED)).isEqualTo(1);
        assertThat(rig.store().overview(10).workers())
                .singleElement()
                .satisfies(view -> assertThat(view.busy()).isEqualTo(2));
    }

    @Test
    default void pruningRemovesWhatEndedLongEnoughAgoAndNothingElse(Rig rig) {
        ScriptedWorker worker = rig.worker("mail");
        List<JobId> old = rig.enqueue(700, job("mail"));
        JobId retried = rig.enqueue(job("mail"));
        worker.claim(701);
        worker.report(retried, null, "a line");
        worker.retryNow(retried);
        worker.finishAll();
        rig.advance(Duration.ofHours(1));
        JobId recent = rig.enqueue(job("mail"));
        worker.claim(1);
        worker.finish(recent);
        JobId live = rig.enqueue(job("mail"));
        rig.advance(Duration.ofMinutes(30));
        assertThat(rig.store().prune(Duration.ofMinutes(90))).isZero();
        assertThat(rig.store().prune(Duration.ofMinutes(89))).isEqualTo(701);
        assertThat(rig.store().find(old.getFirst())).isNull();
        assertThat(rig.store().attempts(retried)).isEmpty();
        assertThat(rig.store().log(retried)).isEmpty();
        assertThat(rig.state(recent)).isEqualTo(JobState.SUCCEEDED);
        assertThat(rig.state(live)).isEqualTo(JobState.QUEUED);
    }

    @Test
    default void aDeletedJobLeavesNoAttemptAndNoLogLine(Rig rig) {
        ScriptedWorker worker = rig.worker("mail");
        List<JobId> ids = rig.enqueue(2, job("mail"));
        worker.claim(2);
        for (JobId id : ids) {
            worker.report(id, null, "a line");
            worker.retryNow(id);
        }
        worker.finish(ids.getFirst());
        ids.forEach(id -> {
            rig.store().delete(id);
            assertThat(rig.store().attempts(id)).isEmpty();
            assertThat(rig.store().log(id)).isEmpty();
        });
    }
}
