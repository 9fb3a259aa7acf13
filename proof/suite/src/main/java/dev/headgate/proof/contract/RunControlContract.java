package dev.headgate.proof.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headgate.handler.PermanentFailure;
import dev.headgate.internal.lease.EndedLease;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobState;
import dev.headgate.job.OperationResult;
import dev.headgate.proof.Rig;
import dev.headgate.proof.StoreFixture;
import dev.headgate.proof.WorkflowRig;
import dev.headgate.run.BudgetLine;
import dev.headgate.run.Guardrail;
import dev.headgate.run.RunId;
import dev.headgate.run.RunState;
import dev.headgate.workflow.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What is done to runs from outside, and how they come to a bad end. */
public interface RunControlContract extends StoreFixture {
    record Trail(String path) {
        Trail plus(String step) {
            return new Trail(path + step);
        }
    }

    /** Something that JSON cannot hold. */
    record Ring(List<Object> next) {
        static Ring closed() {
            List<Object> next = new ArrayList<>();
            next.add(next);
            return new Ring(next);
        }
    }

    Workflow<Trail, Trail> ABC = Workflow.named("abc", 1, Trail.class)
            .then("a", (trail, step) -> trail.plus("a"))
            .then("b", (trail, step) -> trail.plus("b"), s -> s.gate("g"))
            .then("c", (trail, step) -> trail.plus("c"))
            .build();

    @Test
    default void nothingOfAPausedRunStartsUntilItIsResumed(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(ABC);
        RunId id = play.workflows().start(ABC, new Trail("-")).id();
        RunId other = play.workflows().start(ABC, new Trail("-")).id();
        assertThat(play.workflows().pause(id, "wait")).isEqualTo(OperationResult.DONE);
        assertThat(play.all()).isEqualTo(3);
        assertThat(play.state(other)).isEqualTo(RunState.SUCCEEDED);
        assertThat(play.state(id)).isEqualTo(RunState.PAUSED);
        assertThat(play.worker().sleep()).isNull();
        assertThat(play.workflows().resume(id, "go")).isEqualTo(OperationResult.DONE);
        assertThat(play.all()).isEqualTo(3);
        assertThat(play.state(id)).isEqualTo(RunState.SUCCEEDED);
        assertThat(play.workflows().resume(id, "go")).isEqualTo(OperationResult.WRONG_STATE);
    }

    @Test
    default void whatRunsWhileItsRunIsPausedEndsAndIsRecorded(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(ABC);
        RunId id = play.workflows().start(ABC, new Trail("-")).id();
        var ended = play.claimed();
        play.workflows().pause(id, "wait");
        play.worker().turn(0, ended.getFirst());
        assertThat(play.all()).isZero();
        assertThat(play.status(id).position().step()).isEqualTo("b");
        assertThat(play.status(id).position().json()).contains("-a");
        play.workflows().resume(id, "go");
        play.all();
        assertThat(play.workflows().result(id, ABC)).isEqualTo(new Trail("-abc"));
    }

    @Test
    default void aToppedUpBudgetDoesExactlyTheWorkThatWasDenied(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(ABC);
        RunId id = play.workflows()
                .start(ABC, new Trail("-"), r -> r.budget(b -> b.maxCostUnits(1)))
                .id();
        assertThat(play.all()).isEqualTo(1);
        assertThat(play.workflows().resume(id, "try")).isEqualTo(OperationResult.DONE);
        assertThat(play.all()).isEqualTo(1);
        assertThat(play.state(id)).isEqualTo(RunState.BUDGET_EXCEEDED);
        assertThat(play.workflows().topUp(id, Guardrail.COST_UNITS, 2, "more")).isEqualTo(OperationResult.DONE);
        play.workflows().resume(id, "go");
        play.all();
        assertThat(play.workflows().result(id, ABC)).isEqualTo(new Trail("-abc"));
        assertThat(play.status(id).budget()).anySatisfy(line -> {
            assertThat(line.guardrail()).isEqualTo(Guardrail.COST_UNITS);
            assertThat(line.used()).isEqualTo(3);
            assertThat(line.reserved()).isZero();
        });
    }

    @Test
    default void aDeniedRetryIsMadeOnceItIsPaidFor(Rig rig) {
        AtomicInteger ran = new AtomicInteger();
        Workflow<Trail, Trail> flaky = Workflow.named("flaky", 1, Trail.class)
                .then("try", (trail, step) -> {
                    if (ran.incrementAndGet() < 3) {
                        throw new IllegalStateException("again");
                    }
                    return trail.plus("!");
                })
                .build();
        WorkflowRig play = new WorkflowRig(rig, "default").register(flaky);
        RunId id = play.workflows()
                .start(flaky, new Trail(""), r -> r.budget(b -> b.maxAttempts(2)))
                .id();
        for (int i = 0; i < 4; i++) {
            play.all();
            rig.advance(Duration.ofSeconds(1));
        }
        assertThat(ran).hasValue(2);
        play.workflows().topUp(id, Guardrail.ATTEMPTS, 1, "one more");
        play.workflows().resume(id, "go");
        play.all();
        assertThat(ran).hasValue(3);
        assertThat(play.state(id)).isEqualTo(RunState.SUCCEEDED);
    }

    Workflow<Trail, Trail> SAGA = Workflow.named("saga", 1, Trail.class)
            .then("book", (trail, step) -> trail.plus("b"))
            .compensate("unbook", (trail, step) -> {
                step.artifact("unbook", trail.path());
                return trail;
            })
            .then("pay", (trail, step) -> trail.plus("p"))
            .compensate("refund", (trail, step) -> {
                step.artifact("refund", trail.path());
                return trail;
            })
            .then(
                    "ship",
                    (trail, step) -> {
                        if (trail.path().startsWith("!")) {
                            throw new PermanentFailure("no truck");
                        }
                        return trail.plus("s");
                    },
                    s -> s.gate("truck"))
            .compensate("unship", (trail, step) -> trail)
            .onFailure("tell", (ending, step) -> {
                step.artifact("told", ending.step() + ": " + ending.reason());
                return ending;
            })
            .onCancel("sorry", (ending, step) -> {
                step.artifact("sorry", ending.step() + ": " + ending.reason());
                return ending;
            })
            .build();

    @Test
    default void whatWasDoneIsMadeGoodInReverseOrder(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(SAGA);
        RunId id = play.workflows().start(SAGA, new Trail("!")).id();
        play.all();
        assertThat(play.state(id)).isEqualTo(RunState.FAILED);
        assertThat(play.status(id).life().detail()).isEqualTo("step 'ship': no truck");
        assertThat(play.story(id))
                .containsExactly(
                        "STARTED book",
                        "ENTERED pay",
                        "ENTERED ship",
                        "STEP_FAILED ship",
                        "UNWINDING refund",
                        "UNWINDING unbook",
                        "UNWINDING tell",
                        "FAILED ship");
        assertThat(play.workflows().artifacts(id)).containsExactly("refund", "told", "unbook");
        assertThat(play.workflows().findArtifact(id, "refund")).contains("!bp");
        assertThat(play.workflows().findArtifact(id, "unbook")).contains("!b");
        assertThat(play.workflows().findArtifact(id, "told")).contains("ship: step 'ship': no truck");
    }

    @Test
    default void aCancelledRunMakesGoodAndTells(Rig rig) {
        rig.policy("gate truck", "rate 1/1h burst 1");
        WorkflowRig play = new WorkflowRig(rig, "default").register(SAGA);
        RunId first = play.workflows().start(SAGA, new Trail("1")).id();
        RunId id = play.workflows().start(SAGA, new Trail("2")).id();
        play.all();
        assertThat(play.state(first)).isEqualTo(RunState.SUCCEEDED);
        assertThat(play.status(id).position().step()).isEqualTo("ship");
        assertThat(play.workflows().cancel(id, "changed my mind")).isEqualTo(OperationResult.DONE);
        play.all();
        assertThat(play.state(id)).isEqualTo(RunState.CANCELLED);
        assertThat(play.status(id).life().detail()).isEqualTo("changed my mind");
        assertThat(play.workflows().artifacts(id)).containsExactly("refund", "sorry", "unbook");
        assertThat(rig.store().list(JobFilter.all().state(JobState.QUEUED))).isEmpty();
        assertThat(play.workflows().cancel(id, "again")).isEqualTo(OperationResult.WRONG_STATE);
    }

    @Test
    default void cancellingAParentCancelsEverythingBelow(Rig rig) {
        Workflow<Trail, Trail> child = Workflow.named("child", 1, Trail.class)
                .awaitSignal("never", Trail.class, (trail, sent) -> trail)
                .build();
        Workflow<Trail, Trail> parent = Workflow.named("parent", 1, Trail.class)
                .parallel(
                        "both",
                        b -> b.branch("x", flow -> flow.sleep("long", Duration.ofDays(1)))
                                .branch(
                                        "y",
                                        flow -> flow.child("child", child, trail -> trail, (trail, result) -> trail)),
                        (trail, joined) -> trail)
                .build();
        WorkflowRig play = new WorkflowRig(rig, "default").register(parent).register(child);
        RunId id = play.workflows().start(parent, new Trail("")).id();
        play.all();
        assertThat(play.workflows().tree(id)).hasSize(4);
        play.workflows().cancel(id, "enough");
        play.all();
        assertThat(play.workflows().tree(id))
                .allSatisfy(part -> assertThat(part.state()).isEqualTo(RunState.CANCELLED));
        assertThat(rig.store().list(JobFilter.all().state(JobState.SCHEDULED))).isEmpty();
    }

    @Test
    default void aRunThatFailedIsRetriedFromTheStepThatFailed(Rig rig) {
        AtomicBoolean isMended = new AtomicBoolean();
        Workflow<Trail, Trail> fragile = Workflow.named("fragile", 1, Trail.class)
                .then("a", (trail, step) -> trail.plus("a"))
                .then("b", (trail, step) -> {
                    if (!isMended.get()) {
                        throw new PermanentFailure("broken");
                    }
                    return trail.plus("b");
                })
                .build();
        WorkflowRig play = new WorkflowRig(rig, "default").register(fragile);
        RunId id = play.workflows().start(fragile, new Trail("-")).id();
        play.all();
        assertThat(play.state(id)).isEqualTo(RunState.FAILED);
        isMended.set(true);
        assertThat(play.workflows().retry(id, "mended")).isEqualTo(OperationResult.DONE);
        play.all();
        assertThat(play.workflows().result(id, fragile)).isEqualTo(new Trail("-ab"));
        assertThat(play.workflows().retry(id, "again")).isEqualTo(OperationResult.WRONG_STATE);
    }

    @Test
    default void aRewoundRunGoesOnFromThereAndItsCountersToo(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(ABC);
        RunId id = play.workflows()
                .start(
                        ABC,
                        new Trail("-"),
                        r -> r.budget(b -> b.maxTransitions(3).maxCostUnits(3)))
                .id();
        play.all();
        assertThat(play.workflows().rewind(id, "b", "once more")).isEqualTo(OperationResult.DONE);
        play.all();
        assertThat(play.state(id)).isEqualTo(RunState.BUDGET_EXCEEDED);
        play.workflows().topUp(id, Guardrail.TRANSITIONS, 5, "more");
        play.workflows().topUp(id, Guardrail.COST_UNITS, 5, "more");
        play.workflows().resume(id, "go");
        play.all();
        assertThat(play.workflows().result(id, ABC)).isEqualTo(new Trail("-abc"));
    }

    /** Its outcome comes to nothing, but the attempt is made: what is reserved for it is neither free nor forgotten. */
    @Test
    default void whatIsUnderWayWhenARunIsRewoundStaysReserved(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(ABC);
        RunId id = play.workflows()
                .start(ABC, new Trail("-"), r -> r.budget(b -> b.maxAttempts(4)))
                .id();
        List<EndedLease> underWay = play.claimed();
        assertThat(underWay).hasSize(1);
        assertThat(play.workflows().rewind(id, "a", "once more")).isEqualTo(OperationResult.DONE);
        assertThat(attempts(play, id)).isEqualTo(new BudgetLine(Guardrail.ATTEMPTS, 4, 0, 1));
        play.worker().turn(0, underWay.toArray(EndedLease[]::new));
        assertThat(attempts(play, id)).isEqualTo(new BudgetLine(Guardrail.ATTEMPTS, 4, 1, 0));
        play.all();
        assertThat(play.state(id)).isEqualTo(RunState.SUCCEEDED);
        assertThat(attempts(play, id)).isEqualTo(new BudgetLine(Guardrail.ATTEMPTS, 4, 4, 0));
    }

    private static BudgetLine attempts(WorkflowRig play, RunId id) {
        return play.status(id).budget().stream()
                .filter(line -> line.guardrail() == Guardrail.ATTEMPTS)
                .findFirst()
                .orElseThrow();
    }

    @Test
    default void anApprovalLetsTheRunGoOnAndARejectionFailsIt(Rig rig) {
        Workflow<Trail, Trail> asking = Workflow.named("asking", 1, Trail.class)
                .awaitApproval("boss")
                .then("go", (trail, step) -> trail.plus("!"))
                .build();
        WorkflowRig play = new WorkflowRig(rig, "default").register(asking);
        RunId yes = play.workflows().start(asking, new Trail("")).id();
        RunId no = play.workflows().start(asking, new Trail("")).id();
        play.all();
        play.workflows().approve(yes, "boss", "ann", "fine");
        play.workflows().reject(no, "boss", "bob", "too dear");
        play.all();
        assertThat(play.state(yes)).isEqualTo(RunState.SUCCEEDED);
        assertThat(play.state(no)).isEqualTo(RunState.FAILED);
        assertThat(play.status(no).life().detail()).contains("rejected by bob: too dear");
        play.workflows().retry(no, "ask again");
        play.all();
        assertThat(play.state(no)).as("a rejection counts once").isEqualTo(RunState.AWAITING);
    }

    @Test
    default void aSignalThatDoesNotComeInTimeFailsTheRun(Rig rig) {
        Workflow<Trail, Trail> impatient = Workflow.named("impatient", 1, Trail.class)
                .awaitSignal("paid", Trail.class, Duration.ofHours(1), (trail, sent) -> trail)
                .build();
        WorkflowRig play = new WorkflowRig(rig, "default").register(impatient);
        RunId late = play.workflows().start(impatient, new Trail("")).id();
        RunId intime = play.workflows().start(impatient, new Trail("")).id();
        rig.advance(Duration.ofMinutes(59));
        play.workflows().signal(intime, "paid", new Trail("x"));
        play.all();
        rig.advance(Duration.ofMinutes(1));
        play.all();
        assertThat(play.state(intime)).isEqualTo(RunState.SUCCEEDED);
        assertThat(play.state(late)).isEqualTo(RunState.FAILED);
        assertThat(play.status(late).life().detail()).isEqualTo("no signal 'paid' came in time");
    }

    @Test
    default void aRunThatMissesItsDeadlineFails(Rig rig) {
        Workflow<Trail, Trail> slow = Workflow.named("slow", 1, Trail.class)
                .then("a", (trail, step) -> trail.plus("a"))
                .compensate("undo", (trail, step) -> trail)
                .sleep("doze", Duration.ofHours(5))
                .deadline(Duration.ofHours(1))
                .build();
        WorkflowRig play = new WorkflowRig(rig, "default").register(slow);
        RunId id = play.workflows().start(slow, new Trail("")).id();
        play.all();
        rig.advance(Duration.ofHours(1));
        play.all();
        assertThat(play.state(id)).isEqualTo(RunState.FAILED);
        assertThat(play.status(id).life().detail()).contains("its deadline of 1h passed at step 'doze'");
        assertThat(play.story(id)).contains("UNWINDING undo");
    }

    @Test
    default void aStepThatReturnsWhatIsNotJsonFailsItsRun(Rig rig) {
        Workflow<Trail, Ring> odd = Workflow.named("odd", 1, Trail.class)
                .then("ring", Ring.class, (trail, step) -> Ring.closed())
                .build();
        WorkflowRig play = new WorkflowRig(rig, "default").register(odd);
        RunId id = play.workflows().start(odd, new Trail("")).id();
        play.all();
        assertThat(play.state(id)).isEqualTo(RunState.FAILED);
        assertThat(play.status(id).life().detail()).contains("run %s, step 'ring'".formatted(id));
    }

    @Test
    default void anArtifactHasALimit(Rig rig) {
        Workflow<Trail, Trail> large = Workflow.named("large", 1, Trail.class)
                .then(
                        "keep",
                        (trail, step) -> {
                            step.artifact("page.html", "x".repeat(2_000_000));
                            return trail;
                        },
                        s -> s.attempts(1))
                .build();
        WorkflowRig play = new WorkflowRig(rig, "default").register(large);
        RunId id = play.workflows().start(large, new Trail("")).id();
        play.all();
        assertThat(play.status(id).life().detail())
                .contains("artifact 'page.html' of step 'keep'")
                .contains("1048576");
        assertThat(play.workflows().artifacts(id)).isEmpty();
    }

    @Test
    default void endedRunsArePrunedWithAllBelowThem(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(ABC);
        RunId old = play.workflows().start(ABC, new Trail("-"), r -> r.key("k")).id();
        play.all();
        rig.advance(Duration.ofDays(8));
        RunId young = play.workflows().start(ABC, new Trail("-")).id();
        play.all();
        assertThat(play.workflows().prune(Duration.ofDays(7))).isEqualTo(1);
        assertThat(play.workflows().find(old)).isEmpty();
        assertThat(play.workflows().find(young)).isPresent();
        assertThat(play.workflows().start(ABC, new Trail("-"), r -> r.key("k")).isNew())
                .isTrue();
    }

    @Test
    default void aRunIsStartedByNameToo(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(ABC);
        RunId id = play.workflows()
                .startJson("abc", 1, "{\"path\":\"j\"}", r -> {})
                .id();
        play.all();
        assertThat(play.workflows().result(id, ABC)).isEqualTo(new Trail("jabc"));
        assertThatThrownBy(() -> play.workflows().startJson("abc", 3, "{}", r -> {}))
                .hasMessageContaining("workflow 'abc' version 3")
                .hasMessageContaining("[1]");
        assertThat(play.workflows().versions("abc")).isEqualTo(List.of(1));
    }

    @Test
    default void aRunIsExportedAsJson(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(SAGA);
        RunId id = play.workflows().start(SAGA, new Trail("!")).id();
        play.all();
        assertThat(play.workflows().export(id))
                .contains("\"workflow\":\"saga\"")
                .contains("\"kind\":\"UNWINDING\"")
                .contains("\"refund\":\"!bp\"")
                .contains("\"maxCostUnits\"");
    }
}
