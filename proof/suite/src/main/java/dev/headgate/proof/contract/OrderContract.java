package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.simulate.StoreSnapshot;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.limit.Pause;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A job that becomes due, or whose dependencies end, takes its place from that moment, behind those already waiting.
 * Retries and jobs that are handed back keep theirs.
 */
public interface OrderContract extends StoreFixture {
    Duration SECOND = Duration.ofSeconds(1);

    /** Claims one job at a time and ends it, until none is left. */
    private static List<JobId> oneByOne(ScriptedWorker worker) {
        List<JobId> order = new ArrayList<>();
        List<JobId> next = worker.claim(1);
        while (!next.isEmpty()) {
            order.addAll(next);
            worker.finishAll();
            next = worker.claim(1);
        }
        return order;
    }

    /** Starts are written by their margin; a worker gets them in the order in which they were let start. */
    @Test
    default void whatStartsTogetherIsHandedOutInItsOrderWhateverTheMargins(Rig rig) {
        rig.policy("gate slow", "window 100/1h margin 10m");
        rig.policy("gate quick", "window 100/1h margin 1s");
        List<JobId> jobs = new ArrayList<>();
        for (String gate : List.of("slow", "none", "quick", "slow", "none", "quick")) {
            jobs.add(rig.enqueue(job("q").gate(gate)));
        }
        assertThat(rig.worker("q").claim(6)).containsExactlyElementsOf(jobs);
    }

    @Test
    default void aDueJobStandsBehindThoseThatWaitInAPlainQueue(Rig rig) {
        JobId due = rig.enqueue(job("q").after(SECOND));
        List<JobId> waiting = rig.enqueue(2, job("q"));
        rig.advance(SECOND);
        ScriptedWorker worker = rig.worker("q");
        assertThat(worker.claim(1)).containsExactly(waiting.getFirst());
        JobId younger = rig.enqueue(job("q"));
        assertThat(worker.claim(9)).containsExactly(waiting.getLast(), due, younger);
    }

    /** While all workers are busy none takes a turn; what becomes due stands before all that comes later all the same. */
    @Test
    default void whatBecomesDueWhileNoTurnIsTakenIsFiledAllTheSame(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        JobId busy = rig.enqueue(job("q"));
        assertThat(worker.claim(1)).containsExactly(busy);
        JobId due = rig.enqueue(job("q").after(SECOND));
        JobId gated = rig.enqueue(job("q").gate("a").after(SECOND));
        assertThat(rig.store().fileDue(List.of("q"))).isEqualTo(SECOND);
        rig.advance(SECOND);
        assertThat(rig.store().fileDue(List.of("other"))).isNull();
        assertThat(rig.state(due)).isEqualTo(JobState.SCHEDULED);
        assertThat(rig.store().fileDue(List.of("q"))).isNull();
        JobId younger = rig.enqueue(job("q"));
        JobId youngerGated = rig.enqueue(job("q").gate("a"));
        worker.finishAll();
        assertThat(oneByOne(worker)).containsExactly(due, gated, younger, youngerGated);
    }

    @Test
    default void aDueJobStandsBehindThoseThatWaitInItsLane(Rig rig) {
        rig.policy("gate a", "concurrency 1");
        ScriptedWorker worker = rig.worker("q");
        JobId due = rig.enqueue(job("q").gate("a").after(SECOND));
        List<JobId> waiting = rig.enqueue(3, job("q").gate("a"));
        assertThat(worker.claim(9)).containsExactly(waiting.getFirst());
        rig.advance(SECOND);
        assertThat(worker.claim(9)).isEmpty();
        JobId younger = rig.enqueue(job("q").gate("a"));
        assertThat(rig.explain(due).place().ahead()).isEqualTo(2);
        assertThat(rig.explain(younger).place().ahead()).isEqualTo(3);
        worker.finishAll();
        assertThat(oneByOne(worker)).containsExactly(waiting.get(1), waiting.get(2), due, younger);
    }

    @Test
    default void aDueJobStandsBehindTheLanesThatWaitInLine(Rig rig) {
        rig.policy("gate a", "concurrency 1");
        ScriptedWorker worker = rig.worker("q", "other");
        JobId due = rig.enqueue(job("q").gate("a", "due").after(SECOND));
        JobId holder = rig.enqueue(job("q").gate("a"));
        JobId first = rig.enqueue(job("q").gate("a", "first"));
        JobId second = rig.enqueue(job("other").gate("a"));
        assertThat(worker.claim(9)).containsExactly(holder);
        rig.advance(SECOND);
        assertThat(worker.claim(9)).isEmpty();
        JobId younger = rig.enqueue(job("q").gate("a", "younger"));
        worker.finishAll();
        assertThat(oneByOne(worker)).containsExactly(first, second, due, younger);
    }

    @Test
    default void aDueJobStandsBehindThoseThatWaitInItsShare(Rig rig) {
        rig.policy("queue q", "fair by t:*");
        ScriptedWorker worker = rig.worker("q");
        JobId due = rig.enqueue(job("q").gate("t:one").after(SECOND));
        List<JobId> one = rig.enqueue(2, job("q").gate("t:one"));
        List<JobId> two = rig.enqueue(3, job("q").gate("t:two"));
        rig.advance(SECOND);
        assertThat(worker.claim(9)).containsExactly(one.get(0), two.get(0), one.get(1), two.get(1), two.get(2), due);
    }

    @Test
    default void priorityAndFrontApplyToTheNewPlace(Rig rig) {
        JobId plain = rig.enqueue(job("q").gate("a").after(SECOND));
        JobId front = rig.enqueue(job("q").gate("a").front().after(SECOND));
        JobId laterFront = rig.enqueue(job("q").gate("a").front().after(SECOND.plus(SECOND)));
        JobId urgent = rig.enqueue(job("q").gate("a").priority(1).after(SECOND));
        JobId low = rig.enqueue(job("q").gate("a").priority(-1).after(SECOND));
        JobId waiting = rig.enqueue(job("q").gate("a"));
        JobId waitingUrgent = rig.enqueue(job("q").gate("a").priority(1));
        JobId waitingFront = rig.enqueue(job("q").gate("a").front());
        JobId waitingLow = rig.enqueue(job("q").gate("a").priority(-1));
        rig.advance(SECOND.plus(SECOND));
        assertThat(rig.worker("q").claim(99))
                .containsExactly(
                        waitingUrgent, urgent, laterFront, front, waitingFront, waiting, plain, waitingLow, low);
    }

    @Test
    default void jobsThatAreFoundDueTogetherStandInTheOrderOfTheirTimes(Rig rig) {
        JobId third = rig.enqueue(job("q").after(Duration.ofSeconds(3)));
        JobId first = rig.enqueue(job("q").after(Duration.ofSeconds(1)));
        JobId fourth = rig.enqueue(job("q").after(Duration.ofSeconds(3)));
        JobId second = rig.enqueue(job("q").after(Duration.ofSeconds(2)));
        rig.advance(Duration.ofSeconds(5));
        assertThat(rig.worker("q").claim(9)).containsExactly(first, second, third, fourth);
    }

    @Test
    default void howeverManyAreDueAtOneInstantTheyStandInTheOrderOfTheirEnqueue(Rig rig) {
        List<JobId> ids = rig.enqueue(2_500, job("q").after(SECOND));
        rig.advance(SECOND);
        assertThat(rig.worker("q").claimAll()).containsExactlyElementsOf(ids);
    }

    @Test
    default void aJobWhoseDependenciesEndStandsBehindThoseThatWait(Rig rig) {
        rig.policy("gate a", "concurrency 1");
        ScriptedWorker worker = rig.worker("q", "gated");
        JobId parent = rig.enqueue(job("q"));
        JobId plain = rig.enqueue(job("q").after(parent));
        List<JobId> gated = rig.enqueue(2, job("gated").gate("a").after(parent));
        assertThat(worker.claim(1)).containsExactly(parent);
        JobId waiting = rig.enqueue(job("q"));
        JobId holder = rig.enqueue(job("gated").gate("a"));
        JobId line = rig.enqueue(job("gated").gate("a", "b"));
        assertThat(rig.worker("gated").claim(9)).containsExactly(holder);
        worker.finish(parent);
        JobId younger = rig.enqueue(job("q"));
        JobId youngerGated = rig.enqueue(job("gated").gate("a"));
        assertThat(worker.claim(9)).containsExactly(waiting, plain, younger);
        worker.finishAll();
        rig.store().delete(holder);
        assertThat(oneByOne(worker)).containsExactly(line, gated.get(0), gated.get(1), youngerGated);
    }

    @Test
    default void oneThatIsFreeBeforeItIsDueTakesItsPlaceWhenItIsDue(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        JobId parent = rig.enqueue(job("q"));
        JobId late = rig.enqueue(job("q").after(parent).after(SECOND));
        worker.claim(1);
        worker.finishAll();
        JobId waiting = rig.enqueue(job("q"));
        rig.advance(SECOND);
        assertThat(worker.claim(9)).containsExactly(waiting, late);
    }

    @Test
    default void oneThatIsFreeWhenItIsEnqueuedHasThePlaceOfItsEnqueue(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        JobId parent = rig.enqueue(job("q"));
        worker.claim(1);
        worker.finishAll();
        List<JobId> ids = rig.enqueue(job("q"), job("q").after(parent), job("q"));
        assertThat(worker.claim(9)).containsExactlyElementsOf(ids);
    }

    @Test
    default void aRetryAHandBackAndALostWorkerLeaveAJobThePlaceItTookWhenItWasDue(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        JobId due = rig.enqueue(job("q").gate("a").attempts(9).after(SECOND));
        JobId before = rig.enqueue(job("q").gate("a"));
        rig.advance(SECOND);
        assertThat(worker.claim(1)).containsExactly(before);
        worker.finishAll();
        JobId behind = rig.enqueue(job("q").gate("a"));
        assertThat(worker.claim(1)).containsExactly(due);
        worker.retryAfter(due, SECOND);
        rig.advance(SECOND);
        assertThat(worker.claim(1)).containsExactly(due);
        worker.handBack(due);
        assertThat(worker.claim(1)).containsExactly(due);
        rig.lose(worker);
        rig.advance(Duration.ofMinutes(1));
        assertThat(rig.worker("q").claim(9)).containsExactly(due, behind);
    }

    @Test
    default void oneThatRanAndIsRetriedByHandComesBackToThePlaceItTookWhenItWasDue(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        JobId due = rig.enqueue(job("q").gate("a").after(SECOND));
        List<JobId> before = rig.enqueue(2, job("q").gate("a"));
        rig.advance(SECOND);
        assertThat(worker.claim(3)).containsExactly(before.get(0), before.get(1), due);
        JobId behind = rig.enqueue(job("q").gate("a"));
        worker.handBack(before.get(1));
        worker.fail(due, "no");
        rig.store().retry(due);
        assertThat(worker.claim(9)).containsExactly(before.get(1), due, behind);
    }

    @Test
    default void whatAnOperatorMakesDueStandsBehindThoseThatWait(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        JobId retried = rig.enqueue(job("q").gate("a").after(SECOND));
        JobId rescheduled = rig.enqueue(job("q").gate("a").after(SECOND));
        JobId cancelled = rig.enqueue(job("q").gate("a"));
        JobId postponed = rig.enqueue(job("q").gate("a"));
        JobId waiting = rig.enqueue(job("q").gate("a"));
        rig.store().cancel(cancelled);
        rig.store().reschedule(postponed, rig.time().now().plus(SECOND));
        rig.store().reschedule(rescheduled, null);
        rig.store().retry(retried);
        rig.store().retry(cancelled);
        rig.advance(SECOND);
        assertThat(worker.claim(9)).containsExactly(waiting, rescheduled, retried, cancelled, postponed);
    }

    @Test
    default void whatARedriveBringsBackStandsInTheOrderOfItsEnqueue(Rig rig) {
        List<JobId> ids = rig.enqueue(5, job("q").gate("a"));
        ids.forEach(rig.store()::cancel);
        JobId waiting = rig.enqueue(job("q").gate("a"));
        assertThat(rig.store().redrive(JobFilter.all().state(JobState.CANCELLED).limit(3)))
                .isEqualTo(3);
        assertThat(rig.worker("q").claim(9)).containsExactly(waiting, ids.get(2), ids.get(3), ids.get(4));
    }

    @Test
    default void oneThatWaitsAndIsRescheduledToNowStaysWhereItIs(Rig rig) {
        List<JobId> ids = rig.enqueue(3, job("q").gate("a"));
        rig.store().reschedule(ids.get(0), null);
        assertThat(rig.worker("q").claim(9)).containsExactlyElementsOf(ids);
    }

    @Test
    default void oneThatWasSetAsideComesBackToItsPlace(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        JobId paused = rig.enqueue(job("q").gate("a").type("paused").after(SECOND));
        rig.advance(SECOND);
        rig.store().policyStore().pause(Pause.type("paused"), "ada", "a test");
        JobId other = rig.enqueue(job("q").gate("b"));
        assertThat(worker.claim(1)).containsExactly(other);
        JobId younger = rig.enqueue(job("q").gate("a"));
        rig.store().policyStore().resume(Pause.type("paused"));
        assertThat(worker.claim(9)).containsExactly(paused, younger);
    }

    @Test
    default void jobsFreedTogetherStandInTheOrderOfTheirEnqueue(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        JobId parent = rig.enqueue(job("q"));
        List<JobId> ids = new ArrayList<>(rig.enqueue(40, job("q").after(parent)));
        List<JobId> front = new ArrayList<>(rig.enqueue(40, job("q").front().after(parent)));
        worker.claim(1);
        worker.finishAll();
        Collections.reverse(front);
        front.addAll(ids);
        assertThat(worker.claim(99)).containsExactlyElementsOf(front);
    }

    @Test
    default void whatKeepsItsPlaceGoesBeforeAllThatWereEnqueuedAfterIt(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        JobId parent = rig.enqueue(job("q"));
        JobId free = rig.enqueue(job("q").keepPlace().after(parent));
        JobId due = rig.enqueue(job("q").keepPlace().after(SECOND));
        JobId both = rig.enqueue(job("q").keepPlace().after(parent).after(SECOND));
        JobId front = rig.enqueue(job("q").keepPlace().front().after(SECOND));
        JobId retried = rig.enqueue(job("q").keepPlace().after(SECOND));
        JobId revived = rig.enqueue(job("q").keepPlace().after(SECOND));
        worker.claim(1);
        JobId waiting = rig.enqueue(job("q"));
        JobId waitingFront = rig.enqueue(job("q").front());
        rig.store().cancel(revived);
        worker.finishAll();
        rig.store().retry(retried);
        rig.store().retry(revived);
        rig.advance(SECOND);
        assertThat(rig.status(due).spec().order().keepsPlace()).isTrue();
        assertThat(rig.status(waiting).spec().order().keepsPlace()).isFalse();
        assertThat(worker.claim(9)).containsExactly(waitingFront, front, free, due, both, retried, revived, waiting);
        assertThat(worker.lease(front).spec().order().isFront()).isTrue();
        assertThat(worker.lease(front).spec().order().keepsPlace()).isTrue();
    }

    @Test
    default void aForecastKnowsThatDueJobsWillStandBehindThoseThatWait(Rig rig) {
        JobId due = rig.enqueue(job("q").after(SECOND));
        JobId earlier = rig.enqueue(job("q").after(Duration.ofMillis(500)));
        JobId kept = rig.enqueue(job("q").keepPlace().after(SECOND));
        JobId waiting = rig.enqueue(job("q"));
        assertThat(rig.store().snapshot(9).jobs().stream()
                        .sorted(Comparator.comparingLong(StoreSnapshot.Item::rank))
                        .map(item -> JobId.of(item.id())))
                .containsExactly(kept, waiting, earlier, due);
    }
}
