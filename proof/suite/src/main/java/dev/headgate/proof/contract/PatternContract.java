package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.explain.Reason;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.limit.Pause;
import dev.headgate.limit.Serve;
import dev.headgate.proof.Jobs.Draft;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A worker that names its queues by patterns serves those that exist and those that come later, at the price of those with work. */
public interface PatternContract extends StoreFixture {
    /** More than one turn looks at. */
    int MANY = 300;

    @Test
    default void aStarServesQueuesThatComeLater(Rig rig) {
        ScriptedWorker worker = rig.worker("*");
        assertThat(worker.claimAll()).isEmpty();
        assertThat(worker.sleep()).as("until it is woken").isNull();
        JobId plain = rig.enqueue(job("site:a"));
        JobId gated = rig.enqueue(job("site:b").gate("g"));
        assertThat(worker.claimAll()).containsExactly(plain, gated);
        JobId odd = rig.enqueue(job("\uD83D\uDC1D bees, \"quoted\""));
        JobId later = rig.enqueue(job("~"));
        worker.finishAll();
        assertThat(worker.claimAll()).containsExactlyInAnyOrder(odd, later);
    }

    @Test
    default void aBeginningServesNoOtherNames(Rig rig) {
        List<JobId> own = new ArrayList<>();
        for (String queue : List.of("site:", "site:a", "site:zz", "site:\uDBFF\uDFFF\uDBFF\uDFFF")) {
            own.add(rig.enqueue(job(queue)));
            own.add(rig.enqueue(job(queue).gate("g")));
            own.add(rig.enqueue(job(queue).after(Duration.ofMillis(1))));
        }
        for (String queue : List.of("site", "site;", "sits:a", "a", "z", "sitd", "Site:a")) {
            rig.enqueue(job(queue));
            rig.enqueue(job(queue).gate("g"));
            rig.enqueue(job(queue).after(Duration.ofMillis(1)));
        }
        rig.advance(Duration.ofSeconds(1));
        assertThat(rig.worker("site:*").claimAll()).containsExactlyInAnyOrderElementsOf(own);
    }

    @Test
    default void namesAndPatternsMayCoverTheSameQueue(Rig rig) {
        List<JobId> jobs = rig.enqueue(job("site:a"), job("site:a").gate("g"), job("mail"), job("site:b:c"), job("x"));
        ScriptedWorker worker = rig.worker("site:*", "site:a", "site:b:*", "mail");
        assertThat(worker.claimAll()).containsExactlyInAnyOrderElementsOf(jobs.subList(0, 4));
    }

    @Test
    default void theOldestJobOfAllQueuesGoesFirst(Rig rig) {
        List<JobId> jobs = rig.enqueue(job("c"), job("a").gate("g"), job("b"), job("a"), job("c").gate("g"));
        assertThat(rig.worker("*").claim(3)).containsExactlyElementsOf(jobs.subList(0, 3));
    }

    @Test
    default void dueJobsOfAnyQueueAreFoundInTime(Rig rig) {
        ScriptedWorker worker = rig.worker("site:*");
        JobId plain = rig.enqueue(job("site:a").after(Duration.ofSeconds(20)));
        JobId gated = rig.enqueue(job("site:b").gate("g").after(Duration.ofSeconds(30)));
        rig.enqueue(job("mail").after(Duration.ofSeconds(3)));
        assertThat(worker.sleep()).isEqualTo(Duration.ofSeconds(20));
        assertThat(rig.store().glance(List.of("site:*"))).isEqualTo(Duration.ofSeconds(20));
        rig.advance(Duration.ofSeconds(20));
        assertThat(worker.claimAll()).containsExactly(plain);
        assertThat(worker.sleep()).isEqualTo(Duration.ofSeconds(10));
        rig.advance(Duration.ofSeconds(10));
        assertThat(worker.claimAll()).containsExactly(gated);
    }

    @Test
    default void dueJobsAreFoundBehindManyOfQueuesThatNobodyServes(Rig rig) {
        rig.enqueue(1_100, job("mail").after(Duration.ofSeconds(1)));
        JobId own = rig.enqueue(job("site:a").after(Duration.ofSeconds(2)));
        JobId next = rig.enqueue(job("site:b").after(Duration.ofSeconds(9)));
        ScriptedWorker worker = rig.worker("site:*");
        assertThat(worker.sleep()).isEqualTo(Duration.ofSeconds(2));
        rig.advance(Duration.ofSeconds(3));
        assertThat(worker.claimAll()).containsExactly(own);
        assertThat(worker.sleep()).isEqualTo(Duration.ofSeconds(6));
        rig.advance(Duration.ofSeconds(6));
        assertThat(rig.store().fileDue(List.of("site:*"))).as("all filed").isNull();
        assertThat(rig.state(next)).isEqualTo(JobState.QUEUED);
        assertThat(rig.count("mail", JobState.SCHEDULED)).isEqualTo(1_100);
    }

    @Test
    default void aWorkerWithoutASlotMovesDueJobsToo(Rig rig) {
        JobId plain = rig.enqueue(job("site:a").after(Duration.ofSeconds(1)));
        JobId gated = rig.enqueue(job("site:b").gate("g").after(Duration.ofSeconds(1)));
        assertThat(rig.store().fileDue(List.of("site:*"))).isEqualTo(Duration.ofSeconds(1));
        rig.advance(Duration.ofSeconds(1));
        JobId newer = rig.enqueue(job("site:a"));
        assertThat(rig.store().fileDue(List.of("site:*"))).isNull();
        assertThat(List.of(rig.state(plain), rig.state(gated))).containsOnly(JobState.QUEUED);
        assertThat(rig.worker("*").claimAll()).containsExactlyInAnyOrder(newer, plain, gated);
    }

    @Test
    default void aGateThatOpensStartsWhatWaitsInAnyQueue(Rig rig) {
        rig.policy("gate api", "concurrency 1").policy("queue own:*", "concurrency 1");
        List<JobId> jobs = rig.enqueue(
                job("site:a").gate("api"),
                job("site:b").gate("api"),
                job("own:c").gate("api"),
                job("site:d").gate("api"));
        ScriptedWorker worker = rig.worker("*");
        List<JobId> started = new ArrayList<>();
        for (JobId ignored : jobs) {
            List<JobId> one = worker.claimAll();
            assertThat(one).hasSize(1);
            started.addAll(one);
            worker.finishAll();
        }
        assertThat(started).containsExactlyElementsOf(jobs);
        assertThat(worker.sleep()).isNull();
    }

    @Test
    default void anEndStartsInTheSameTurnWhatWaitedForItsPlace(Rig rig) {
        rig.policy("gate api", "concurrency 1");
        List<JobId> jobs = rig.enqueue(job("site:a").gate("api"), job("site:b").gate("api"));
        ScriptedWorker worker = rig.worker("*");
        assertThat(worker.claimAll()).containsExactly(jobs.getFirst());
        assertThat(worker.turn(1, worker.ended()).started())
                .extracting(row -> JobId.of(row.id()))
                .containsExactly(jobs.getLast());
    }

    @Test
    default void limitsOfQueuesHoldAndOpenInTime(Rig rig) {
        rig.policy("queue site:*", "concurrency 1; rate 1/1s burst 1");
        List<JobId> jobs = rig.enqueue(
                job("site:a"), job("site:a"), job("site:b"), job("site:b").gate("g"));
        ScriptedWorker worker = rig.worker("*");
        assertThat(worker.claimAll()).containsExactlyInAnyOrder(jobs.get(0), jobs.get(2));
        worker.finishAll();
        assertThat(worker.sleep()).isEqualTo(Duration.ofSeconds(1));
        assertThat(rig.store().glance(List.of("*"))).isEqualTo(Duration.ofSeconds(1));
        rig.advance(Duration.ofSeconds(1));
        assertThat(worker.claimAll()).containsExactlyInAnyOrder(jobs.get(1), jobs.get(3));
    }

    @Test
    default void aPausedQueueIsPassedByAndComesBack(Rig rig) {
        ScriptedWorker worker = rig.worker("*");
        JobId paused = rig.enqueue(job("site:a"));
        rig.enqueue(job("site:b").gate("g"));
        rig.store().policyStore().pause(Pause.queue("site:*"), "ada", "a test");
        JobId other = rig.enqueue(job("mail"));
        assertThat(worker.claimAll()).containsExactly(other);
        assertThat(worker.sleep()).isNull();
        assertThat(rig.explain(paused).reason()).isEqualTo(new Reason.QueuePaused("site:a"));
        rig.store().policyStore().resume(Pause.queue("site:*"));
        assertThat(worker.claimAll()).hasSize(2);
    }

    @Test
    default void aFairQueueKeepsItsShares(Rig rig) {
        rig.policy("queue site:*", "fair by tenant:*");
        rig.enqueue(10, job("site:a").gate("tenant:x"));
        rig.enqueue(10, job("site:a").gate("tenant:y"));
        List<JobId> started = rig.worker("*").claim(6);
        assertThat(started)
                .filteredOn(id -> rig.status(id).gates().contains("tenant:y"))
                .hasSize(3);
    }

    @Test
    default void noQueueStarvesAmongMoreThanOneTurnLooksAt(Rig rig) {
        enqueue(rig, 3, i -> i % 2 == 0 ? job("site:" + i) : job("site:" + i).gate("g" + i));
        ScriptedWorker worker = rig.worker("site:*");
        Map<String, Integer> started = new HashMap<>();
        for (int round = 0; round < 10; round++) {
            List<JobId> some = worker.claim(70);
            assertThat(some).hasSize(70);
            some.forEach(id -> started.merge(worker.lease(id).spec().lane().queue(), 1, Integer::sum));
            worker.finishAll();
        }
        assertThat(started).as("each was served before most got their last").hasSizeGreaterThan(MANY * 7 / 10);
        assertThat(worker.claimAll()).hasSize(3 * MANY - 700);
        worker.finishAll();
        assertThat(worker.sleep()).isNull();
    }

    @Test
    default void whatFilledTheSlotsIsLookedAtAgainAfterTheLastQueue(Rig rig) {
        rig.enqueue(40, job("a"));
        enqueue(rig, 1, i -> job("b" + i));
        ScriptedWorker worker = rig.worker("*");
        assertThat(worker.claim(10)).hasSize(10);
        assertThat(worker.claimAll()).as("in one go").hasSize(30 + MANY);
    }

    @Test
    default void manyShutQueuesOpenInTimeAndHideNoOpenOne(Rig rig) {
        rig.policy("queue site:*", "rate 1/10s burst 1");
        enqueue(rig, 2, i -> job("site:" + i));
        ScriptedWorker worker = rig.worker("*");
        assertThat(worker.claimAll()).hasSize(MANY);
        worker.finishAll();
        assertThat(worker.sleep()).isEqualTo(Duration.ofSeconds(10));
        rig.advance(Duration.ofSeconds(4));
        JobId open = rig.enqueue(job("zebra"));
        assertThat(worker.claimAll()).containsExactly(open);
        worker.finishAll();
        assertThat(worker.sleep()).isEqualTo(Duration.ofSeconds(6));
        rig.advance(Duration.ofSeconds(6));
        assertThat(worker.claimAll()).hasSize(MANY);
    }

    @Test
    default void theFirstToOpenCountsAlsoIfTheLastTurnDidNotLookAtIt(Rig rig) {
        rig.policy("queue a:*", "rate 1/10s burst 1").policy("queue b:*", "rate 1/30s burst 1");
        enqueue(rig, 2, i -> job((i < MANY / 2 ? "a:" : "b:") + i));
        ScriptedWorker worker = rig.worker("*");
        assertThat(worker.claimAll()).hasSize(MANY);
        worker.finishAll();
        assertThat(worker.sleep()).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    default void aTurnSendsTheSameStatementsWhateverElseExists(Rig rig) {
        rig.policy("gate shut", "concurrency 1").policy("gate open:*", "concurrency 9");
        ScriptedWorker other = rig.worker("other");
        rig.enqueue(job("other").gate("shut"));
        assertThat(other.claimAll()).hasSize(1);
        ScriptedWorker worker = rig.worker("*");
        worker.turn(3);
        long before = statements(rig, worker);
        enqueue(rig, 1, i -> job("quiet" + i).after(Duration.ofDays(1)));
        enqueue(rig, 1, i -> job("blocked" + i).gate("shut"));
        assertThat(worker.claimAll()).isEmpty();
        assertThat(statements(rig, worker)).isEqualTo(before);
    }

    /** How many statements it takes to start three jobs of three queues and to bring them back. */
    private static long statements(Rig rig, ScriptedWorker worker) {
        for (Draft draft : List.of(job("one"), job("two"), job("three"))) {
            rig.enqueue(draft);
        }
        long before = rig.store().backend().statements();
        assertThat(worker.turn(3).started()).hasSize(3);
        worker.turn(3, worker.ended());
        return rig.store().backend().statements() - before;
    }

    @Test
    default void aStrictOrderTakesTheQueuesOfAPatternAsOne(Rig rig) {
        List<JobId> bulk =
                rig.enqueue(job("bulk:b"), job("bulk:a"), job("bulk:b").gate("g"));
        JobId urgent = rig.enqueue(job("urgent"));
        JobId rest = rig.enqueue(job("a"));
        ScriptedWorker worker = rig.worker("urgent", "bulk:*", "*").serving(Serve.STRICT);
        List<JobId> started = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            started.addAll(worker.claim(1));
        }
        assertThat(started).containsExactly(urgent, bulk.get(0), bulk.get(1), bulk.get(2), rest);
    }

    @Test
    default void queuesOfAPatternTakeTurns(Rig rig) {
        for (String queue : List.of("site:a", "site:b", "site:c")) {
            rig.enqueue(20, job(queue));
        }
        ScriptedWorker worker = rig.worker("site:*").serving(Serve.ROUND_ROBIN);
        assertThat(byQueue(rig, worker.claim(12))).isEqualTo(Map.of("site:a", 4, "site:b", 4, "site:c", 4));
        List<JobId> onByOne = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            onByOne.addAll(worker.claim(1));
        }
        assertThat(byQueue(rig, onByOne)).isEqualTo(Map.of("site:a", 2, "site:b", 2, "site:c", 2));
    }

    @Test
    default void aWeightOfAPatternIsThatOfEachOfItsQueues(Rig rig) {
        for (String queue : List.of("site:a", "site:b", "mail")) {
            rig.enqueue(40, job(queue));
        }
        Serve weighted = Serve.weighted(Map.of("*", 2, "mail", 1));
        ScriptedWorker worker = rig.worker("mail", "*").serving(weighted);
        assertThat(byQueue(rig, worker.claim(20))).isEqualTo(Map.of("mail", 4, "site:a", 8, "site:b", 8));
    }

    /** So many jobs in each of many queues, in one transaction. */
    private static void enqueue(Rig rig, int ofEach, IntFunction<Draft> draft) {
        Draft[] all = IntStream.range(0, MANY * ofEach)
                .mapToObj(i -> draft.apply(i / ofEach))
                .toArray(Draft[]::new);
        rig.enqueue(all[0], all[1], Arrays.copyOfRange(all, 2, all.length));
    }

    private static Map<String, Integer> byQueue(Rig rig, List<JobId> jobs) {
        Map<String, Integer> started = new HashMap<>();
        jobs.forEach(id -> started.merge(rig.status(id).queue(), 1, Integer::sum));
        return started;
    }

    @Test
    default void explainKnowsWhichPatternsCoverAQueue(Rig rig) {
        JobId site = rig.enqueue(job("site:a"));
        JobId mail = rig.enqueue(job("mail"));
        rig.worker("site:*");
        assertThat(rig.explain(mail).reason()).isEqualTo(new Reason.NoWorker("mail"));
        assertThat(rig.explain(site).reason()).isEqualTo(new Reason.NoSlot());
        assertThat(rig.store().overview(1).workers().getFirst().serves("site:a"))
                .isTrue();
        assertThat(rig.store().overview(1).workers().getFirst().serves("mail")).isFalse();
        ScriptedWorker all = rig.worker("*");
        assertThat(rig.explain(mail).reason()).isEqualTo(new Reason.NoSlot());
        all.leave();
        assertThat(rig.explain(mail).reason()).isEqualTo(new Reason.NoWorker("mail"));
    }

    @Test
    default void theListOfQueuesNamesNoPattern(Rig rig) {
        rig.worker("site:*", "mail");
        rig.enqueue(job("site:a"));
        assertThat(new HashSet<>(rig.store().overview(9).jobs().stream()
                        .map(count -> count.queue())
                        .toList()))
                .doesNotContain("site:*");
    }
}
