package dev.headgate.proof.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.headgate.Headgate;
import dev.headgate.JsonJob;
import dev.headgate.MachineOperations;
import dev.headgate.RunEndedException;
import dev.headgate.ScheduleOperations;
import dev.headgate.UnknownRunException;
import dev.headgate.UnknownScheduleException;
import dev.headgate.Worker;
import dev.headgate.WorkflowOperations;
import dev.headgate.job.JobType;
import dev.headgate.job.OperationResult;
import dev.headgate.proof.Rig;
import dev.headgate.proof.WorkflowRig;
import dev.headgate.proof.contract.MachineContract.Order;
import dev.headgate.proof.contract.MachineContract.Payment;
import dev.headgate.proof.contract.WorkflowContract.Paid;
import dev.headgate.proof.contract.WorkflowContract.Trail;
import dev.headgate.run.RunFilter;
import dev.headgate.run.RunId;
import dev.headgate.run.RunState;
import dev.headgate.run.RunStatus;
import dev.headgate.schedule.Schedule;
import dev.headgate.schedule.Schedule.PutResult;
import dev.headgate.schedule.ScheduleStatus;
import dev.headgate.store.CallerTransaction;
import dev.headgate.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/**
 * What a caller's transaction can do besides enqueue: start runs, send signals and events, change schedules. All of it
 * commits or vanishes with the transaction, and is done on its connection alone.
 */
public interface CallerActsContract extends CallerTransactionContract {
    Duration SOON = Duration.ofMinutes(2);
    JobType<String> POLL = JobType.of("poll", String.class);

    Workflow<Trail, Trail> ASK = Workflow.named("ask", 1, Trail.class)
            .awaitApproval("boss")
            .then("go", (trail, step) -> trail.plus("!"))
            .build();

    Workflow<Trail, Trail> SIGN = Workflow.named("sign", 1, Trail.class)
            .forEach(
                    "each",
                    trail -> List.of(1, 2),
                    Integer.class,
                    flow -> flow.awaitSignal("signature", Integer.class, (item, signed) -> item * 10 + signed))
            .reduce((trail, results) -> trail.plus(results.toString()))
            .build();

    /** Does this in a transaction, and meanwhile the store itself is shut. */
    private void transact(Rig rig, boolean isCommitted, BiConsumer<Headgate, CallerTransaction> acts) {
        ShutBackend shut = new ShutBackend(reopen(rig.time()));
        try (shut;
                Headgate headgate = Headgate.open(shut);
                Caller caller = begin()) {
            shut.shut();
            acts.accept(headgate, caller.transaction());
            if (isCommitted) {
                caller.commit();
            }
            shut.open();
        }
    }

    @Test
    default void runsAreStartedWithTheCallersTransaction(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(WorkflowContract.PAY);
        for (boolean isCommitted : List.of(false, true)) {
            transact(rig, isCommitted, (headgate, caller) -> {
                WorkflowOperations in = headgate.workflows().in(caller);
                in.start(WorkflowContract.PAY, new Trail("a"));
                RunId keyed = in.start(WorkflowContract.PAY, new Trail("b"), run -> run.key("k"))
                        .id();
                var again = in.start(WorkflowContract.PAY, new Trail("b"), run -> run.key("k"));
                assertThat(again.id()).isEqualTo(keyed);
                assertThat(again.isNew()).isFalse();
                in.startAll(WorkflowContract.PAY, List.of(new Trail("c"), new Trail("d")), (each, run) -> {});
                in.startJson("pay", 1, "{\"path\":\"e\"}", run -> {});
            });
            assertThat(play.workflows().list(RunFilter.all())).hasSize(isCommitted ? 5 : 0);
        }
        play.all();
        assertThat(play.workflows().list(RunFilter.all()))
                .extracting(status -> status.position().awaits())
                .containsOnly("paid");
    }

    /** To store it in the transaction would make all others that register it wait for the end of the transaction. */
    @Test
    default void whatATransactionStartsMustBeRegisteredBefore(Rig rig) {
        transact(rig, true, (headgate, caller) -> {
            assertThatIllegalStateException()
                    .isThrownBy(() -> headgate.workflows().in(caller).start(WorkflowContract.ABC, new Trail("")))
                    .withMessageContaining("workflow 'abc' version 1: expected it to be registered before")
                    .withMessageContaining("call workflows().register");
            assertThatIllegalStateException()
                    .isThrownBy(() -> headgate.machines().in(caller).start(MachineContract.ORDER, new Order(1, "")))
                    .withMessageContaining("call machines().register");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> headgate.workflows().in(caller).startJson("abc", 1, "{}", run -> {}));
        });
        assertThat(new WorkflowRig(rig, "default").workflows().list(RunFilter.all()))
                .isEmpty();
    }

    @Test
    default void signalsAreSentWithTheCallersTransaction(Rig rig) {
        WorkflowRig play =
                new WorkflowRig(rig, "default").register(WorkflowContract.PAY).register(SIGN);
        RunId waiting =
                play.workflows().start(WorkflowContract.PAY, new Trail("")).id();
        RunId inParts = play.workflows().start(SIGN, new Trail("")).id();
        play.all();
        RunId notYet =
                play.workflows().start(WorkflowContract.PAY, new Trail("")).id();
        for (boolean isCommitted : List.of(false, true)) {
            transact(rig, isCommitted, (headgate, caller) -> {
                WorkflowOperations in = headgate.workflows().in(caller);
                in.signal(waiting, "paid", new Paid(7));
                in.signalJson(notYet, "paid", "{\"cents\":8}");
                in.signal(inParts, "signature", 1);
                in.signal(inParts, "signature", 2);
                RunId own = in.start(WorkflowContract.PAY, new Trail("own"), run -> run.key("own"))
                        .id();
                in.signal(own, "paid", new Paid(9));
                assertThatExceptionOfType(UnknownRunException.class)
                        .isThrownBy(() -> in.signal(RunId.of(4_711), "paid", new Paid(1)));
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> in.signal(waiting, "payed", new Paid(1)))
                        .withMessageContaining("which are [paid]");
            });
            if (!isCommitted) {
                assertThat(play.all())
                        .as("nothing but the first step of one run")
                        .isEqualTo(1);
                assertThat(play.state(waiting)).isEqualTo(RunState.AWAITING);
            }
        }
        play.all();
        assertThat(play.workflows().result(waiting, WorkflowContract.PAY)).isEqualTo(new Trail("?7!"));
        assertThat(play.workflows().result(notYet, WorkflowContract.PAY)).isEqualTo(new Trail("?8!"));
        assertThat(play.workflows().result(inParts, SIGN)).isIn(new Trail("[11, 22]"), new Trail("[12, 21]"));
        RunId own = play.workflows()
                .start(WorkflowContract.PAY, new Trail(""), run -> run.key("own"))
                .id();
        assertThat(play.workflows().result(own, WorkflowContract.PAY)).isEqualTo(new Trail("own?9!"));
        transact(
                rig,
                false,
                (headgate, caller) -> assertThatExceptionOfType(RunEndedException.class)
                        .isThrownBy(() -> headgate.workflows().in(caller).signal(waiting, "paid", new Paid(1)))
                        .withMessageContaining("expected a run under way, it is SUCCEEDED"));
    }

    @Test
    default void aCallersTransactionRefusesUnknownIdsAsTheStoreDoes(Rig rig) {
        transact(rig, false, (headgate, caller) -> {
            assertThat(UnknownIdContract.assertRefusesUnknownIds(
                            headgate.workflows().in(caller)))
                    .contains("signal", "approve");
            assertThat(UnknownIdContract.assertRefusesUnknownIds(
                            headgate.machines().in(caller)))
                    .contains("send");
            assertThat(UnknownIdContract.assertRefusesUnknownIds(
                            headgate.schedules().in(caller)))
                    .contains("edit", "remove");
        });
    }

    /** Nothing of a paused run starts, and so nothing takes the signal; what has been sent is not lost. */
    @Test
    default void aSignalToAPausedRunIsTakenOnceItIsResumed(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(WorkflowContract.PAY);
        RunId id = play.workflows().start(WorkflowContract.PAY, new Trail("")).id();
        play.all();
        assertThat(play.workflows().pause(id, "lunch")).isEqualTo(OperationResult.DONE);
        transact(
                rig, true, (headgate, caller) -> headgate.workflows().in(caller).signal(id, "paid", new Paid(7)));
        assertThat(play.all()).isZero();
        assertThat(play.workflows().resume(id, "back")).isEqualTo(OperationResult.DONE);
        play.all();
        assertThat(play.workflows().result(id, WorkflowContract.PAY)).isEqualTo(new Trail("?7!"));
    }

    @Test
    default void approvalsAreGivenWithTheCallersTransaction(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(ASK);
        RunId good = play.workflows().start(ASK, new Trail("")).id();
        RunId bad = play.workflows().start(ASK, new Trail("")).id();
        for (boolean isCommitted : List.of(false, true)) {
            transact(rig, isCommitted, (headgate, caller) -> {
                headgate.workflows().in(caller).approve(good, "boss", "ann", "fine");
                headgate.workflows().in(caller).reject(bad, "boss", "ann", "too dear");
            });
            play.all();
            assertThat(play.state(good)).isEqualTo(isCommitted ? RunState.SUCCEEDED : RunState.AWAITING);
            assertThat(play.state(bad)).isEqualTo(isCommitted ? RunState.FAILED : RunState.AWAITING);
        }
    }

    @Test
    default void eventsAreSentWithTheCallersTransaction(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(MachineContract.ORDER);
        RunId old =
                play.machines().start(MachineContract.ORDER, new Order(10, "")).id();
        play.all();
        for (boolean isCommitted : List.of(false, true)) {
            transact(rig, isCommitted, (headgate, caller) -> {
                MachineOperations in = headgate.machines().in(caller);
                assertThat(in.send(old, "note", "1 ", "first")).isTrue();
                assertThat(in.send(old, "note", "1 ", "first")).isFalse();
                assertThat(in.send(old, "note", "2 ")).isTrue();
                RunId fresh = in.start(MachineContract.ORDER, new Order(5, ""), run -> run.key("fresh"))
                        .id();
                in.send(fresh, "pay", new Payment(5));
                in.send(fresh, "shipped");
                assertThatIllegalArgumentException().isThrownBy(() -> in.send(old, "burn"));
                assertThatExceptionOfType(UnknownRunException.class)
                        .isThrownBy(() -> in.send(RunId.of(4_711), "shipped"));
            });
            play.all();
            assertThat(play.machines().data(old, MachineContract.ORDER))
                    .isEqualTo(new Order(10, isCommitted ? "1 2 " : ""));
        }
        RunId fresh = play.machines()
                .start(MachineContract.ORDER, new Order(5, ""), run -> run.key("fresh"))
                .id();
        assertThat(play.machines().status(fresh).position().state()).isEqualTo("done");
        assertThat(play.machines().pending(old)).isEmpty();
    }

    @Test
    default void schedulesAreChangedWithTheCallersTransaction(Rig rig) {
        Schedule hourly = Schedule.every(Duration.ofHours(1));
        try (Headgate outside = Headgate.open(reopen(rig.time()))) {
            for (String name : List.of("same", "edited", "paused", "removed")) {
                outside.schedules().put(name, hourly, POLL, "x");
            }
            for (boolean isCommitted : List.of(false, true)) {
                transact(rig, isCommitted, (headgate, caller) -> {
                    ScheduleOperations in = headgate.schedules().in(caller);
                    assertThat(in.put("new", hourly, POLL, "x")).isEqualTo(PutResult.CREATED);
                    assertThat(in.put("new", hourly, POLL, "y")).isEqualTo(PutResult.CHANGED);
                    in.putJson("text", hourly, new JsonJob("poll", "{}", job -> job.gate("partner")));
                    assertThat(in.put("same", hourly, POLL, "x")).isEqualTo(PutResult.UNCHANGED);
                    in.edit("edited", edit -> edit.schedule(before -> Schedule.every(Duration.ofHours(2))));
                    in.pause("paused");
                    in.remove("removed");
                    assertThatExceptionOfType(UnknownScheduleException.class).isThrownBy(() -> in.remove("never"));
                });
                assertThat(outside.schedules().list())
                        .extracting(ScheduleStatus::name)
                        .containsExactlyElementsOf(
                                isCommitted
                                        ? List.of("edited", "new", "paused", "same", "text")
                                        : List.of("edited", "paused", "removed", "same"));
                assertThat(outside.schedules().find("paused").orElseThrow().isPaused())
                        .isEqualTo(isCommitted);
                Instant next = rig.time().now().plus(Duration.ofHours(isCommitted ? 2 : 1));
                assertThat(outside.schedules().nextRuns("edited", 1)).containsExactly(next);
            }
        }
    }

    /** A worker that would look by itself only in an hour hears of each commit. */
    @Test
    default void aCommitWakesTheWorkers(Rig rig) throws InterruptedException {
        CountDownLatch polled = new CountDownLatch(1);
        ShutBackend shut = new ShutBackend(reopen(rig.time()));
        try (Headgate elsewhere = Headgate.open(reopen(rig.time()))) {
            elsewhere.handle(POLL, (text, job) -> polled.countDown());
            elsewhere.workflows().register(WorkflowContract.PAY);
            elsewhere.machines().register(MachineContract.ORDER);
            Worker worker =
                    elsewhere.worker("default").pollEvery(Duration.ofHours(1)).start();
            try (shut;
                    Headgate headgate = Headgate.open(shut);
                    Caller caller = begin()) {
                assertThat(worker.awaitIdle(SOON)).isTrue();
                shut.shut();
                CallerTransaction tx = caller.transaction();
                RunId run = headgate.workflows()
                        .in(tx)
                        .start(WorkflowContract.PAY, new Trail(""))
                        .id();
                RunId order = headgate.machines()
                        .in(tx)
                        .start(MachineContract.ORDER, new Order(1, ""))
                        .id();
                caller.commit();
                assertThat(worker.awaitIdle(SOON)).isTrue();
                headgate.workflows().in(tx).signal(run, "paid", new Paid(7));
                caller.commit();
                assertThat(elsewhere.workflows().await(run, SOON))
                        .map(RunStatus::state)
                        .contains(RunState.SUCCEEDED);
                headgate.machines().in(tx).send(order, "pay", new Payment(1));
                headgate.machines().in(tx).send(order, "shipped");
                caller.commit();
                assertThat(elsewhere.workflows().await(order, SOON))
                        .map(RunStatus::state)
                        .contains(RunState.SUCCEEDED);
                headgate.schedules().in(tx).put("now", Schedule.once(rig.time().now()), POLL, "x");
                caller.commit();
                assertThat(polled.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
                shut.open();
            }
        }
    }
}
