package dev.headgate.proof.conformance;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headgate.Headgate;
import dev.headgate.internal.lease.EndedLease;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.Unmet;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.WorkflowRig;
import dev.headgate.run.RunId;
import dev.headgate.run.RunState;
import dev.headgate.status.Overview;
import dev.headgate.status.Overview.Tokens;
import dev.headgate.workflow.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What users of the scraper know: queues with a token bucket and a maximum in flight, whose policies come from a function
 * of the site and the queue, and workflows of operations.
 */
public interface ScraperConformance extends Conformance {
    @Test
    default void aQueueWithoutAPolicyHasNoLimitButItsWorkersSlots(Rig rig) {
        rig.enqueue(20, job("crawl"));
        assertThat(rig.worker("crawl").claim(15)).hasSize(15);
        assertThat(rig.worker("crawl").claim(15)).hasSize(5);
    }

    @Test
    default void whatItDropsSilentlyIsRejectedWithAnError(Rig rig) {
        for (String limits : List.of("tokens 5", "rate 0/1s", "rate -1/1s", "rate 1/1s burst 0", "concurrency -1")) {
            assertThatIllegalArgumentException().as(limits).isThrownBy(() -> rig.policy("queue crawl", limits));
        }
        assertThatIllegalArgumentException().isThrownBy(() -> rig.policy("queue ", "concurrency 1"));
    }

    @Test
    default void burstOneAtOnePerSecondDeniesTheSecondAtTheSameInstant(Rig rig) {
        rig.policy("queue crawl", "rate 1/1s burst 1");
        List<JobId> ids = rig.enqueue(3, job("crawl"));
        ScriptedWorker worker = rig.worker("crawl");
        assertThat(worker.claim(3)).containsExactly(ids.get(0));
        worker.finish(ids.get(0));
        assertThat(worker.claim(3)).isEmpty();
        rig.advance(Duration.ofSeconds(1));
        assertThat(worker.claim(3)).containsExactly(ids.get(1));
    }

    @Test
    default void burstTwoAtOnePerSecondStartsTwoAndTheThirdASecondLater(Rig rig) {
        rig.policy("queue crawl", "rate 1/1s burst 2");
        List<JobId> ids = rig.enqueue(3, job("crawl"));
        ScriptedWorker worker = rig.worker("crawl");
        assertThat(worker.claim(3)).isEqualTo(ids.subList(0, 2));
        rig.advance(Duration.ofMillis(999));
        assertThat(worker.claim(3)).isEmpty();
        rig.advance(Duration.ofMillis(1));
        assertThat(worker.claim(3)).containsExactly(ids.get(2));
    }

    @Test
    default void tokensSurviveARestart(Rig rig) {
        rig.policy("queue crawl", "rate 1/1s burst 1");
        List<JobId> ids = rig.enqueue(2, job("crawl"));
        ScriptedWorker worker = rig.worker("crawl");
        assertThat(worker.claim(1)).containsExactly(ids.getFirst());
        rig.store().close();
        rig.reopenedAs(reopen(rig.time()));
        assertThat(worker.claim(1)).isEmpty();
        rig.advance(Duration.ofSeconds(1));
        assertThat(worker.claim(1)).containsExactly(ids.getLast());
    }

    @Test
    default void inFlightFourAtTwoPerSecondStartsTheSecondAfterHalfASecond(Rig rig) {
        rig.policy("queue crawl", "concurrency 4; rate 2/1s burst 1");
        List<JobId> ids = rig.enqueue(2, job("crawl"));
        ScriptedWorker worker = rig.worker("crawl");
        assertThat(worker.claim(4)).containsExactly(ids.getFirst());
        assertThat(worker.claim(4)).isEmpty();
        rig.advance(Duration.ofMillis(500));
        assertThat(worker.claim(4)).containsExactly(ids.getLast());
    }

    @Test
    default void inFlightTwoStartsTheThirdWhenOneEnds(Rig rig) {
        rig.policy("queue crawl", "concurrency 2");
        List<JobId> ids = rig.enqueue(3, job("crawl"));
        ScriptedWorker worker = rig.worker("crawl");
        assertThat(worker.claim(4)).isEqualTo(ids.subList(0, 2));
        assertThat(worker.claim(4)).isEmpty();
        worker.finish(ids.get(1));
        assertThat(worker.claim(4)).containsExactly(ids.get(2));
    }

    @Test
    default void aCrashedWorkersJobRunsAgainAfterItsLease(Rig rig) {
        JobId id = rig.enqueue(job("crawl"));
        ScriptedWorker crashed = rig.worker("crawl");
        ScriptedWorker other = rig.worker("crawl");
        crashed.claim(1);
        crashed.crash();
        rig.advance(ScriptedWorker.LEASE.minusSeconds(1));
        rig.store().reap();
        assertThat(other.claim(1)).isEmpty();
        rig.advance(Duration.ofSeconds(1));
        rig.store().reap();
        assertThat(other.claim(1)).containsExactly(id);
        assertThat(other.finish(id)).isTrue();
    }

    @Test
    default void aRetryAfterOneSecondDoesNotStartAfterHalfAndHasSucceededAfterTwoAndAHalf(Rig rig) {
        JobId id = rig.enqueue(job("crawl"));
        ScriptedWorker worker = rig.worker("crawl");
        worker.claim(1);
        worker.retryAfter(id, Duration.ofSeconds(1));
        rig.advance(Duration.ofMillis(500));
        assertThat(worker.claim(1)).isEmpty();
        rig.advance(Duration.ofSeconds(2));
        assertThat(worker.claim(1)).containsExactly(id);
        worker.finish(id);
        assertThat(rig.state(id)).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    default void waitTimeCountsFromReadyOrFromTheRetrysDueTimeAndIsNeverNegative(Rig rig) {
        JobId id = rig.enqueue(job("crawl"));
        ScriptedWorker worker = rig.worker("crawl");
        rig.advance(Duration.ofSeconds(3));
        assertThat(rig.explain(id).times().waited()).isEqualTo(later(Duration.ofSeconds(3)));
        worker.claim(1);
        worker.retryAfter(id, Duration.ofSeconds(10));
        assertThat(rig.explain(id).times().waited()).isZero();
        rig.advance(Duration.ofSeconds(14));
        rig.policy("queue crawl", "concurrency 1");
        JobId blocker = rig.enqueue(job("crawl").priority(1));
        assertThat(worker.claim(1)).containsExactly(blocker);
        assertThat(rig.explain(id).times().waited()).isEqualTo(later(Duration.ofSeconds(4)));
    }

    @Test
    default void aFailedJobThatAnOperatorRetriesRunsAgain(Rig rig) {
        JobId id = rig.enqueue(job("crawl"));
        ScriptedWorker worker = rig.worker("crawl");
        worker.claim(1);
        worker.fail(id, "404");
        rig.store().retry(id);
        assertThat(worker.claim(1)).containsExactly(id);
        worker.finish(id);
        assertThat(rig.state(id)).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    default void theStatusShowsJobsLeasesResultsAndTheTokensOfEveryGate(Rig rig) {
        rig.policy("queue crawl", "concurrency 9; rate 1/1s burst 5").policy("gate site", "rate 2/1s burst 3");
        List<JobId> ids = rig.enqueue(6, job("crawl").gate("site"));
        ScriptedWorker worker = rig.worker("crawl");
        worker.claim(9);
        worker.finish(ids.getFirst(), "\"page\"");
        Overview overview = rig.store().overview(100);
        assertThat(rig.count("crawl", JobState.QUEUED)).isEqualTo(3);
        assertThat(rig.count("crawl", JobState.RUNNING)).isEqualTo(2);
        assertThat(rig.count("crawl", JobState.SUCCEEDED)).isEqualTo(1);
        assertThat(overview.workers())
                .singleElement()
                .satisfies(view -> assertThat(view.busy()).isEqualTo(2));
        assertThat(rig.gate("queue crawl").tokens()).containsExactly(new Tokens(shown("rate 1/1s burst 5"), 2, 5));
        assertThat(rig.gate("gate site").tokens()).containsExactly(new Tokens(shown("rate 2/1s burst 3"), 0, 3));
        assertThat(rig.gate("gate site").opens()).isEqualTo(rig.time().now().plusMillis(500));
        rig.advance(Duration.ofSeconds(1));
        assertThat(rig.gate("queue crawl").tokens().getFirst().now()).isEqualTo(3);
        assertThat(rig.gate("gate site").tokens().getFirst().now()).isEqualTo(2);
    }

    @Test
    default void aRequiredDependencyCancelsWhatNeedsItAndAnOptionalOneOnlyHasToEnd(Rig rig) {
        ScriptedWorker worker = rig.worker("crawl");
        JobId fetch = rig.enqueue(job("crawl"));
        JobId parse = rig.enqueue(job("crawl").after(fetch));
        JobId store = rig.enqueue(job("crawl").after(parse));
        JobId report = rig.enqueue(job("crawl").after(Unmet.IGNORE, fetch));
        rig.store().cancel(fetch);
        assertThat(rig.state(parse)).isEqualTo(JobState.CANCELLED);
        assertThat(rig.state(store)).isEqualTo(JobState.CANCELLED);
        assertThat(worker.claim(9)).containsExactly(report);
    }

    @Test
    default void aRetryByAnOperatorRevivesTheDependentsThatItCancelled(Rig rig) {
        ScriptedWorker worker = rig.worker("crawl");
        JobId fetch = rig.enqueue(job("crawl"));
        JobId parse = rig.enqueue(job("crawl").after(fetch));
        worker.claim(1);
        worker.fail(fetch, "404");
        assertThat(rig.state(parse)).isEqualTo(JobState.FAILED);
        rig.store().retry(fetch);
        assertThat(worker.claim(9)).containsExactly(fetch);
        worker.finish(fetch);
        assertThat(worker.claim(9)).containsExactly(parse);
    }

    @Test
    default void workersThatClaimAtTheSameMomentNeverGoOverAndNoneFails(Rig rig) throws Exception {
        rig.policy("queue crawl", "concurrency 3; rate 1/1s burst 7");
        rig.enqueue(12, job("crawl"));
        List<ScriptedWorker> workers =
                IntStream.range(0, 4).mapToObj(i -> rig.worker("crawl")).toList();
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger ran = new AtomicInteger();
        CyclicBarrier together = new CyclicBarrier(workers.size());
        try (ExecutorService threads = Executors.newFixedThreadPool(workers.size())) {
            List<Future<Void>> all = new ArrayList<>();
            for (ScriptedWorker worker : workers) {
                all.add(threads.submit(() -> {
                    for (int round = 0; round < 7; round++) {
                        together.await();
                        int started = worker.claim(5).size();
                        ran.addAndGet(started);
                        most.accumulateAndGet(running.addAndGet(started), Math::max);
                        together.await();
                        running.addAndGet(-started);
                        worker.finishAll();
                    }
                    return null;
                }));
            }
            for (Future<Void> each : all) {
                each.get();
            }
        }
        assertThat(most)
                .as("all four asked while the others held what they got")
                .hasValue(3);
        assertThat(ran).as("its burst, at one instant").hasValue(7);
        rig.advance(Duration.ofSeconds(2));
        assertThat(workers.getFirst().claim(9)).hasSize(2);
    }

    @Test
    default void aFunctionOfTheProgramGivesTheLimitsOfEachSiteAndQueue(Rig rig) {
        List<String> asked = new ArrayList<>();
        Headgate program = Headgate.open(rig.store().backend());
        program.policies().provider(key -> {
            asked.add(key.toString());
            return switch (key.name()) {
                case "shop:fetch" -> Optional.of(GatePolicy.parse("concurrency 1"));
                case "news:fetch" -> Optional.of(GatePolicy.parse("concurrency 2"));
                default -> Optional.empty();
            };
        });
        for (String queue : List.of("shop:fetch", "news:fetch", "news:parse")) {
            for (int i = 0; i < 4; i++) {
                program.enqueueJson("work", "{}", options -> options.queue(queue));
            }
        }
        assertThat(asked).containsExactly("queue shop:fetch", "queue news:fetch", "queue news:parse");
        ScriptedWorker worker = rig.worker("shop:fetch", "news:fetch", "news:parse");
        assertThat(worker.claim(20)).hasSize(1 + 2 + 4);
        assertThat(rig.leases("queue shop:fetch")).isEqualTo(1);
        assertThat(rig.leases("queue news:fetch")).isEqualTo(2);
    }

    @Test
    default void aFunctionThatChangesItsMindIsAskedAgainOnlyWhenTold(Rig rig) {
        Headgate old = Headgate.open(rig.store().backend());
        old.policies().provider(key -> Optional.of(GatePolicy.parse("concurrency 1")));
        old.enqueueJson("work", "{}", options -> options.queue("shop:fetch"));
        Headgate changed = Headgate.open(rig.store().backend());
        changed.policies().provider(key -> Optional.of(GatePolicy.parse("concurrency 3")));
        for (int i = 0; i < 4; i++) {
            changed.enqueueJson("work", "{}", options -> options.queue("shop:fetch"));
        }
        ScriptedWorker worker = rig.worker("shop:fetch");
        assertThat(worker.claim(9)).as("what is stored counts for both").hasSize(1);
        changed.policies().refresh(GateKey.queue("shop:fetch"));
        assertThat(worker.claim(9)).hasSize(2);
    }

    @Test
    default void aRunThatIsCancelledStartsNoMoreSteps(Rig rig) {
        List<String> steps = new ArrayList<>();
        Workflow<String, String> crawl = Workflow.named("crawl", 1, String.class)
                .then("fetch", (url, step) -> note(steps, "fetch " + url))
                .then("parse", (url, step) -> note(steps, "parse " + url))
                .build();
        WorkflowRig play = new WorkflowRig(rig, "default").register(crawl);
        RunId waits = play.workflows().start(crawl, "a").id();
        play.workflows().cancel(waits, "wrong site");
        play.all();
        assertThat(play.state(waits)).isEqualTo(RunState.CANCELLED);
        RunId runs = play.workflows().start(crawl, "b").id();
        List<EndedLease> fetched = play.claimed();
        play.workflows().cancel(runs, "wrong site");
        play.worker().turn(0, fetched.toArray(EndedLease[]::new));
        play.all();
        assertThat(play.state(runs)).isEqualTo(RunState.CANCELLED);
        assertThat(steps).containsExactly("fetch b");
    }

    private static String note(List<String> steps, String what) {
        steps.add(what);
        return what;
    }
}
