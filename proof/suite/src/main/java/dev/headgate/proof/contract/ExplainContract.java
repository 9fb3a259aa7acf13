package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.explain.Decision;
import dev.headgate.explain.Decision.Cause;
import dev.headgate.explain.Explanation;
import dev.headgate.explain.Explanation.GateAnswer;
import dev.headgate.explain.Reason;
import dev.headgate.internal.resource.ResourceStore;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.ParkReason;
import dev.headgate.limit.Limit;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Why a job waits, and until when: the truth, for every state and every kind of limit. */
public interface ExplainContract extends StoreFixture {
    private static Explanation.Forecast forecast(Explanation why) {
        return Objects.requireNonNull(why.times().forecast(), "a waiting job has a forecast");
    }

    @Test
    default void aJobAtAFullGateNamesItAndTheFigures(Rig rig) {
        rig.policy("gate openai", "concurrency 2");
        List<JobId> ids = rig.enqueue(4, job("chat").gate("openai"));
        ScriptedWorker worker = rig.worker("chat");
        worker.claim(9);
        Explanation third = rig.explain(ids.get(2));
        assertThat(third.state()).isEqualTo(JobState.QUEUED);
        assertThat(third.summary())
                .contains("gate openai")
                .contains("2 of 2 in use")
                .contains("first in its lane");
        assertThat(third.place().ahead()).isZero();
        assertThat(rig.explain(ids.get(3)).place().ahead()).isEqualTo(1);
        GateAnswer answer = third.place().gates().getLast();
        assertThat(answer.line().isIn()).isTrue();
        assertThat(answer.use().leases()).isEqualTo(2);
        Cause full = new Cause.AtLimit(Limit.concurrency(2), 2, 2, "2 of 2 in use");
        Decision.Blocked blocked = new Decision.Blocked(Rig.key("gate openai"), full, null);
        assertThat(answer.decision()).isEqualTo(blocked);
        assertThat(third.reason()).isEqualTo(new Reason.AtGate(answer, blocked));
    }

    @Test
    default void aJobAtARateKnowsTheInstantOfItsStart(Rig rig) {
        rig.policy("gate api", "rate 1/10s burst 1");
        List<JobId> ids = rig.enqueue(4, job("mail").gate("api"));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(1);
        Instant start = rig.time().now();
        for (int i = 1; i < 4; i++) {
            assertThat(rig.explain(ids.get(i)).times().earliest()).isEqualTo(start.plusSeconds(10L * i));
        }
        for (int i = 1; i < 4; i++) {
            rig.time().set(start.plusSeconds(10L * i));
            worker.heartbeat();
            assertThat(worker.claim(1)).containsExactly(ids.get(i));
        }
    }

    @Test
    default void aLimitThatCountsUntilHandlersEndWaitsForOneThatRunsAndThenForTime(Rig rig) {
        rig.policy("gate api", "window 2/10s margin end");
        List<JobId> ids = rig.enqueue(4, job("mail").gate("api"));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(9)).hasSize(2);
        Explanation running = rig.explain(ids.get(2));
        assertThat(running.summary()).contains("2 of 2 running or in the last 10s (window 2/10s margin end)");
        GateAnswer answer = running.place().gates().getLast();
        assertThat(answer.decision())
                .isInstanceOfSatisfying(
                        Decision.Blocked.class,
                        blocked -> assertThat(blocked.next()).isNull());
        assertThat(answer.use().holders()).hasSize(2);
        assertThat(running.times().earliest()).isEqualTo(rig.time().now().plusSeconds(10));
        assertThat(forecast(running).to()).isNull();
        rig.advance(Duration.ofSeconds(3));
        worker.finish(ids.getFirst());
        Instant opens = rig.time().now().plusSeconds(10);
        assertThat(rig.explain(ids.get(2)).place().gates().getLast().decision())
                .isInstanceOfSatisfying(
                        Decision.Blocked.class,
                        blocked -> assertThat(blocked.next()).isEqualTo(opens));
        assertThat(forecast(rig.explain(ids.get(2))).to()).isEqualTo(opens);
        assertThat(forecast(rig.explain(ids.get(3))).to())
                .as("the one before it counts while it runs, and nothing says how long")
                .isNull();
        rig.advance(Duration.ofSeconds(10));
        worker.heartbeat();
        assertThat(worker.claim(9)).containsExactly(ids.get(2));
    }

    @Test
    default void theEarliestStartIsNeverLaterThanTheStart(Rig rig) {
        rig.policy("gate llm", "rate 10/1s burst 10 by-cost margin none");
        ScriptedWorker worker = rig.worker("chat");
        List<JobId> ids = rig.enqueue(
                job("chat").gate("llm").cost(10),
                job("chat").gate("llm").cost(1),
                job("chat").gate("llm").cost(1),
                job("chat").gate("llm").cost(8));
        assertThat(worker.claim(1)).containsExactly(ids.getFirst());
        Instant promised = rig.explain(ids.getLast()).times().earliest();
        rig.advance(Duration.ofSeconds(1));
        assertThat(worker.claim(9)).isEqualTo(ids.subList(1, 4));
        assertThat(promised).isBeforeOrEqualTo(rig.time().now());
    }

    @Test
    default void aJobOfAShutQueueNamesTheQueue(Rig rig) {
        rig.policy("queue mail", "concurrency 1");
        List<JobId> ids = rig.enqueue(2, job("mail"));
        rig.worker("mail").claim(2);
        assertThat(rig.explain(ids.getLast()).summary()).contains("queue mail").contains("1 of 1 in use");
    }

    @Test
    default void aJobBehindOlderLanesKnowsItsPlaceInLine(Rig rig) {
        rig.policy("gate a", "concurrency 1");
        ScriptedWorker worker = rig.worker("mail");
        rig.enqueue(job("mail").gate("a"));
        rig.enqueue(job("mail").gate("a", "b"));
        rig.enqueue(job("mail").gate("a", "c"));
        JobId last = rig.enqueue(job("mail").gate("a", "d"));
        worker.claim(9);
        GateAnswer answer = rig.explain(last).place().gates().stream()
                .filter(gate -> gate.line().isIn())
                .findFirst()
                .orElseThrow();
        assertThat(answer.gate()).isEqualTo(Rig.key("gate a"));
        assertThat(answer.line().lanesBefore()).isEqualTo(2);
    }

    @Test
    default void aJobThatWaitsForAWorkersOwnLimiterSaysSo(Rig rig) {
        ScriptedWorker worker = rig.worker("mail");
        ResourceStore rooms = new ResourceStore(rig.store().backend());
        JobId id = rig.enqueue(job("mail"));
        rooms.publish(worker.id(), 1, "", "1 of 1 in the last 1h (window 1/1h)", Duration.ofMinutes(30));
        Instant opens = rig.explain(id).times().at().plus(Duration.ofMinutes(30));
        assertThat(rig.explain(id).summary())
                .contains("has free slots, but its own limiter lets nothing start: 1 of 1 in the last 1h (window 1/1h)")
                .contains("opens at " + opens);
        assertThat(rig.explain(id).reason())
                .isInstanceOfSatisfying(
                        Reason.WorkerLimiter.class,
                        shut -> assertThat(shut.opens()).isEqualTo(opens));
        assertThat(rig.explain(id).times().earliest()).isEqualTo(opens);
        assertThat(rig.explain(id).times().forecast())
                .isNotNull()
                .satisfies(forecast -> assertThat(forecast.to()).isNull());
        rooms.publish(worker.id(), 1, "", "2 of 2 in use (concurrency 2)", null);
        assertThat(rig.explain(id).summary()).contains("(concurrency 2), opens when something is given back");
        ScriptedWorker other = rig.worker("mail");
        assertThat(rig.explain(id).summary()).as("another worker takes it").contains("waiting for a free worker slot");
        rooms.publish(other.id(), 1, "", "1 of 1 in the last 1h (window 1/1h)", Duration.ofMinutes(30));
        assertThat(rig.explain(id).summary()).contains("and the limiters of 1 other workers are shut too");
        rig.advance(Duration.ofMinutes(30));
        assertThat(rig.explain(id).summary()).as("time has opened it").doesNotContain("limiter");
    }

    @Test
    default void aJobThatNobodyServesSaysSo(Rig rig) {
        JobId id = rig.enqueue(job("mail"));
        assertThat(rig.explain(id).summary()).contains("no worker serves queue mail");
        assertThat(rig.explain(id).reason()).isEqualTo(new Reason.NoWorker("mail"));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(rig.explain(id).summary()).contains("waiting for a free worker slot");
        assertThat(rig.explain(id).reason()).isEqualTo(new Reason.NoSlot());
        JobId behind = rig.enqueue(job("mail"));
        assertThat(rig.explain(behind).summary()).contains("waiting for its turn; 1 before it");
        assertThat(rig.explain(behind).reason()).isEqualTo(new Reason.BehindOthers());
        worker.crash();
        rig.advance(ScriptedWorker.LEASE);
        assertThat(rig.explain(id).summary()).contains("no worker serves queue mail");
    }

    @Test
    default void everyOtherStateIsExplained(Rig rig) {
        ScriptedWorker worker = rig.worker("mail");
        JobId id = rig.enqueue(job("mail").after(Duration.ofMinutes(1)));
        assertThat(rig.explain(id).summary()).contains("scheduled: due at 2026-01-01T00:01:00Z");
        assertThat(rig.explain(id).times().earliest()).isEqualTo(Instant.parse("2026-01-01T00:01:00Z"));
        assertThat(rig.explain(id).reason()).isEqualTo(new Reason.Scheduled(Instant.parse("2026-01-01T00:01:00Z")));
        rig.advance(Duration.ofMinutes(1));
        worker.claim(1);
        assertThat(rig.explain(id).summary()).contains("running on worker").contains("attempt 1 of 3");
        rig.store().cancel(id);
        assertThat(rig.explain(id).summary()).contains("asked to stop");
        assertThat(rig.explain(id).reason()).isEqualTo(new Reason.Running(worker.id(), 1, 3, true));
        worker.cancelled(id);
        assertThat(rig.explain(id).summary()).contains("cancelled at").contains("stopped as asked");
        rig.store().retry(id);
        worker.claim(1);
        worker.park(id, ParkReason.UNKNOWN_HANDLER);
        assertThat(rig.explain(id).summary()).contains("parked (UNKNOWN_HANDLER)");
        rig.store().retry(id);
        worker.claim(1);
        worker.retryAfter(id, Duration.ofMinutes(1));
        assertThat(rig.explain(id).summary()).contains("last error: try again later");
        rig.store().retry(id);
        worker.claim(1);
        worker.finish(id);
        assertThat(rig.explain(id).summary()).contains("succeeded at");
        assertThat(rig.explain(id).reason()).isInstanceOf(Reason.Ended.class);
        assertThat(rig.explain(id).times().waited()).isZero();
    }

    @Test
    default void waitingTimeCountsFromTheInstantAJobWasDueAndIsNeverNegative(Rig rig) {
        JobId now = rig.enqueue(job("mail"));
        JobId later = rig.enqueue(job("mail").after(Duration.ofSeconds(10)));
        ScriptedWorker worker = rig.worker("video");
        rig.advance(Duration.ofSeconds(4));
        assertThat(rig.explain(now).times().waited()).isEqualTo(Duration.ofSeconds(4));
        assertThat(rig.explain(later).times().waited()).isZero();
        rig.advance(Duration.ofSeconds(10));
        worker.leave();
        rig.worker("mail").turn(1);
        assertThat(rig.explain(later).times().waited()).isEqualTo(Duration.ofSeconds(4));
        rig.time().stepBack(Duration.ofHours(1));
        assertThat(rig.explain(later).times().waited()).isZero();
    }

    @Test
    default void aJobThatNoLongerFitsIsExplainedBeforeAnyClaimParksIt(Rig rig) {
        List<JobId> ids = rig.enqueue(3, job("chat").gate("llm").cost(1_000_000_000_000L));
        rig.policy("gate llm", "rate 1/1d burst 1 by-cost");
        Explanation explanation = rig.explain(ids.getLast());
        assertThat(explanation.place().gates().getLast().decision()).isInstanceOf(Decision.NeverFits.class);
        assertThat(explanation.times().earliest()).isNull();
        assertThat(explanation.summary()).contains("can never pass gate llm");
        assertThat(explanation.reason()).isInstanceOf(Reason.NeverFits.class);
    }

    @Test
    default void explainingChangesNothing(Rig rig) {
        rig.policy("gate a", "rate 1/1h burst 2; concurrency 2").policy("queue mail", "rate 1/1h burst 5");
        List<JobId> ids = rig.enqueue(5, job("mail").gate("a"));
        ScriptedWorker worker = rig.worker("mail");
        for (int i = 0; i < 10; i++) {
            ids.forEach(rig::explain);
        }
        assertThat(worker.claim(9)).isEqualTo(ids.subList(0, 2));
        assertThat(rig.explain(ids.get(4))).isEqualTo(rig.explain(ids.get(4)));
    }
}
