package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.explain.Explanation;
import dev.headgate.explain.Explanation.Forecast;
import dev.headgate.explain.Explanation.GateAnswer;
import dev.headgate.explain.Explanation.Holder;
import dev.headgate.explain.Explanation.Wait;
import dev.headgate.job.JobId;
import dev.headgate.limit.Pause;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Which jobs hold what a job waits for, when it will probably start, and where its waiting time went. */
public interface OutlookContract extends StoreFixture {
    private static Forecast forecast(Rig rig, JobId id) {
        return Objects.requireNonNull(rig.explain(id).times().forecast());
    }

    private static GateAnswer gate(Rig rig, JobId id, String gate) {
        return rig.explain(id).place().gates().stream()
                .filter(answer -> answer.gate().equals(Rig.key(gate)))
                .findFirst()
                .orElseThrow();
    }

    /** So many jobs ran one after the other, for these times. */
    private static void ran(Rig rig, ScriptedWorker worker, List<Duration> runs) {
        for (Duration run : runs) {
            JobId id = rig.enqueue(job("q").type("report"));
            assertThat(worker.claim(1)).containsExactly(id);
            rig.advance(run);
            worker.finish(id);
        }
    }

    @Test
    default void aFullGateNamesThoseWhoHoldItsPlacesOldestFirst(Rig rig) {
        rig.policy("gate a", "concurrency 7").policy("gate b", "concurrency 1");
        ScriptedWorker one = rig.worker("q");
        ScriptedWorker two = rig.worker("q");
        JobId first = rig.enqueue(job("q").type("report").gate("a"));
        assertThat(two.claim(1)).containsExactly(first);
        Instant since = rig.time().now();
        rig.advance(Duration.ofSeconds(3));
        List<JobId> others = rig.enqueue(6, job("q").gate("a"));
        assertThat(one.claim(6)).isEqualTo(others);
        JobId elsewhere = rig.enqueue(job("q").gate("b"));
        assertThat(one.claim(1)).containsExactly(elsewhere);
        JobId waiting = rig.enqueue(job("q").gate("a"));
        assertThat(one.claim(1)).isEmpty();
        List<Holder> holders = gate(rig, waiting, "gate a").use().holders();
        assertThat(holders).hasSize(Explanation.HOLDERS_MAX);
        assertThat(holders.getFirst()).isEqualTo(new Holder(first, "report", two.id(), since));
        assertThat(holders).extracting(Holder::job).doesNotContain(elsewhere);
        assertThat(gate(rig, waiting, "gate a").use().leases()).isEqualTo(7);
    }

    @Test
    default void aQueuesHoldersAreItsRunningJobs(Rig rig) {
        rig.policy("queue q", "concurrency 1");
        ScriptedWorker worker = rig.worker("q", "other");
        JobId running = rig.enqueue(job("q"));
        rig.enqueue(job("other"));
        worker.claim(2);
        JobId waiting = rig.enqueue(job("q"));
        assertThat(gate(rig, waiting, "queue q").use().holders())
                .extracting(Holder::job)
                .containsExactly(running);
    }

    @Test
    default void aGateThatTimeOpensHasNoHoldersToWaitFor(Rig rig) {
        rig.policy("gate a", "delay 1m");
        ScriptedWorker worker = rig.worker("q");
        List<JobId> ids = rig.enqueue(2, job("q").gate("a"));
        worker.claim(2);
        assertThat(gate(rig, ids.getLast(), "gate a").use().holders()).isEmpty();
    }

    @Test
    default void limitsOfTimeGiveTheExactInstant(Rig rig) {
        rig.policy("gate a", "rate 1/10s burst 1");
        ScriptedWorker worker = rig.worker("q");
        List<JobId> ids = rig.enqueue(3, job("q").gate("a"));
        worker.claim(3);
        Forecast last = forecast(rig, ids.getLast());
        assertThat(last.from()).isEqualTo(rig.time().now().plusSeconds(20));
        assertThat(last.to()).isEqualTo(last.from());
        rig.advance(Duration.ofSeconds(10));
        worker.claim(3);
        rig.advance(Duration.ofSeconds(10));
        assertThat(worker.claim(3)).containsExactly(ids.getLast());
        assertThat(rig.time().now()).isEqualTo(last.to());
    }

    @Test
    default void aReleaseIsForeseenFromRecentRunsOfTheSameTypes(Rig rig) {
        rig.policy("gate a", "concurrency 2");
        ScriptedWorker worker = rig.worker("q");
        ran(
                rig,
                worker,
                List.of(
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(12),
                        Duration.ofSeconds(14),
                        Duration.ofSeconds(16),
                        Duration.ofSeconds(40)));
        List<JobId> ids = rig.enqueue(5, job("q").type("report").gate("a"));
        worker.claim(5);
        Instant started = rig.time().now();
        rig.advance(Duration.ofSeconds(4));
        Forecast next = forecast(rig, ids.get(2));
        assertThat(next.from()).isEqualTo(started.plusSeconds(10));
        assertThat(next.to()).isEqualTo(started.plusSeconds(40));
        assertThat(next.basis()).isEqualTo("5 recent runs of report, half of them shorter than 14s");
        Forecast last = forecast(rig, ids.get(4));
        assertThat(last.from()).as("two before it: the second round").isEqualTo(started.plusSeconds(20));
        assertThat(last.to()).isEqualTo(started.plusSeconds(80));
    }

    @Test
    default void jobsThatRunLongerThanAnyBeforeMayEndNow(Rig rig) {
        rig.policy("gate a", "concurrency 1");
        ScriptedWorker worker = rig.worker("q");
        ran(rig, worker, java.util.Collections.nCopies(9, Duration.ofSeconds(1)));
        List<JobId> ids = rig.enqueue(2, job("q").type("report").gate("a"));
        worker.claim(2);
        rig.advance(Duration.ofMinutes(5));
        assertThat(forecast(rig, ids.getLast()).to()).isEqualTo(rig.time().now());
    }

    @Test
    default void whereThereIsNothingToGoByItSaysSo(Rig rig) {
        rig.policy("gate a", "concurrency 1").policy("gate b", "budget 5").policy("gate c", "concurrency 1");
        JobId unserved = rig.enqueue(job("q"));
        assertThat(forecast(rig, unserved)).satisfies(forecast -> {
            assertThat(forecast.from()).isNull();
            assertThat(forecast.to()).isNull();
            assertThat(forecast.basis()).isEqualTo("nothing can be said: no worker serves queue q");
        });
        ScriptedWorker worker = rig.worker("q");
        List<JobId> a = rig.enqueue(2, job("q").type("report").gate("a"));
        List<JobId> b = rig.enqueue(2, job("q").gate("b").cost(5));
        worker.claim(9);
        assertThat(forecast(rig, a.getLast()).basis()).isEqualTo("only 0 runs of report ended lately");
        assertThat(forecast(rig, a.getLast()).to()).isNull();
        assertThat(forecast(rig, b.getLast()).basis()).isEqualTo("when gate b frees enough is not reckoned");
        rig.store().policyStore().pause(Pause.gate("d"), "ada", "a test");
        assertThat(forecast(rig, rig.enqueue(job("q").gate("d"))).basis())
                .isEqualTo("nothing can be said: gate d is paused");
        rig.enqueue(job("q").gate("c"));
        worker.claim(1);
        JobId both = rig.enqueue(job("q").gate("a", "c"));
        assertThat(forecast(rig, both).basis()).isEqualTo("several of its gates wait for a release");
    }

    @Test
    default void waitingTimeIsPutDownToTheGateWhereItIsKnownAndOnlyThere(Rig rig) {
        rig.policy("gate a", "concurrency 1");
        ScriptedWorker worker = rig.worker("q");
        List<JobId> ids = rig.enqueue(3, job("q").gate("a"));
        rig.advance(Duration.ofSeconds(2));
        assertThat(rig.explain(ids.getFirst()).past().waits())
                .containsExactly(new Wait("for a worker of queue q", Duration.ofSeconds(2)));
        worker.claim(9);
        rig.advance(Duration.ofSeconds(5));
        assertThat(rig.explain(ids.get(1)).past().waits())
                .containsExactly(
                        new Wait("before that, not noted where", Duration.ofSeconds(2)),
                        new Wait("in line at gate a", Duration.ofSeconds(5)));
        assertThat(rig.explain(ids.get(2)).past().waits().getLast())
                .isEqualTo(new Wait("behind others of its lane, which is in line at gate a", Duration.ofSeconds(5)));
        assertThat(rig.explain(ids.getFirst()).past().waits()).as("it runs").isEmpty();
        JobId plain = rig.enqueue(2, job("q")).getLast();
        rig.advance(Duration.ofSeconds(1));
        assertThat(rig.explain(plain).past().waits())
                .containsExactly(new Wait("for its turn in queue q", Duration.ofSeconds(1)));
    }

    @Test
    default void theTimesAddUpToAllThatItWaited(Rig rig) {
        rig.policy("gate a", "concurrency 1; delay 3s");
        ScriptedWorker worker = rig.worker("q");
        List<JobId> ids = rig.enqueue(4, job("q").gate("a"));
        for (int step = 0; step < 8; step++) {
            worker.claim(9);
            worker.finishAll();
            rig.advance(Duration.ofSeconds(1));
            for (JobId id : ids) {
                Explanation why = rig.explain(id);
                Duration sum = why.past().waits().stream().map(Wait::span).reduce(Duration.ZERO, Duration::plus);
                assertThat(sum).isEqualTo(why.times().waited());
            }
        }
    }
}
