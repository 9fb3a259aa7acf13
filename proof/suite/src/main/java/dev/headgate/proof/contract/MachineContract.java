package dev.headgate.proof.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headgate.RunEndedException;
import dev.headgate.UnknownRunException;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobState;
import dev.headgate.job.OperationResult;
import dev.headgate.machine.Machine;
import dev.headgate.machine.Machine.SentEvent;
import dev.headgate.machine.Machine.Unexpected;
import dev.headgate.machine.MachineStatus;
import dev.headgate.proof.Rig;
import dev.headgate.proof.StoreFixture;
import dev.headgate.proof.WorkflowRig;
import dev.headgate.run.RunFilter;
import dev.headgate.run.RunId;
import dev.headgate.run.RunState;
import dev.headgate.workflow.Workflow;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** State machines: events count once and in order, timers ring on time, and waiting holds nothing. */
public interface MachineContract extends StoreFixture {
    /** The data: what is to be paid, and a trail of what was done. */
    record Order(int cents, String trail) {
        Order plus(String more) {
            return new Order(cents, trail + more);
        }
    }

    record Payment(int cents) {}

    Machine<Order> ORDER = Machine.named("order", 1, Order.class)
            .state(
                    "new",
                    s -> s.on("pay", Payment.class)
                            .when((order, payment) -> payment.cents() >= order.cents())
                            .then((order, payment) -> order.plus("paid " + payment.cents() + ", "))
                            .goTo("paid")
                            .on("note", String.class)
                            .then(Order::plus)
                            .stay()
                            .after(Duration.ofDays(3))
                            .then(order -> order.plus("too late"))
                            .goTo("expired"))
            .state(
                    "paid",
                    s -> s.onEntry("pack", (order, step) -> order.plus("packed, "), o -> o.gate("warehouse"))
                            .on("shipped")
                            .goTo("done"))
            .finalState("done")
            .finalState("expired")
            .initial("new")
            .build();

    @Test
    default void eventsLeadFromStateToState(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(ORDER);
        RunId id = play.machines().start(ORDER, new Order(10, "")).id();
        assertThat(play.all()).isZero();
        assertThat(play.machines().status(id).position().state()).isEqualTo("new");
        assertThat(play.machines().send(id, "pay", new Payment(12))).isTrue();
        play.all();
        assertThat(play.machines().status(id).position().state()).isEqualTo("paid");
        play.machines().send(id, "shipped");
        play.all();
        MachineStatus status = play.machines().status(id);
        assertThat(status.position().state()).isEqualTo("done");
        assertThat(status.run()).isEqualTo(RunState.SUCCEEDED);
        assertThat(play.machines().data(id, ORDER)).isEqualTo(new Order(10, "paid 12, packed, "));
        assertThat(history(play, id))
                .containsExactly(
                        "STARTED new",
                        "SIGNALLED new: pay",
                        "ENTERED paid/pack",
                        "ENTERED paid",
                        "SIGNALLED paid: shipped",
                        "ENTERED done",
                        "SUCCEEDED done");
        assertThat(play.machines().list("order", RunFilter.all())).containsExactly(status);
    }

    /** Its history as lines. */
    static List<String> history(WorkflowRig play, RunId id) {
        return play.machines().timeline(id).stream()
                .map(event -> event.kind() + " " + event.step() + (event.detail() == null ? "" : ": " + event.detail()))
                .toList();
    }

    @Test
    default void anEntryActionIsAJobThatPassesItsGates(Rig rig) {
        rig.policy("gate warehouse", "rate 1/10s burst 1");
        WorkflowRig play = new WorkflowRig(rig, "default").register(ORDER);
        List<RunId> both = List.of(
                play.machines().start(ORDER, new Order(1, "")).id(),
                play.machines().start(ORDER, new Order(1, "")).id());
        both.forEach(id -> play.machines().send(id, "pay", new Payment(1)));
        play.all();
        assertThat(both)
                .extracting(id -> play.machines().status(id).position().state())
                .containsOnly("paid");
        assertThat(both)
                .extracting(id -> play.machines().status(id).position().action())
                .containsExactlyInAnyOrder(null, "pack");
        assertThat(rig.store().list(JobFilter.all().state(JobState.QUEUED)))
                .singleElement()
                .satisfies(job -> assertThat(job.type()).isEqualTo("order@1/pack"));
        rig.advance(Duration.ofSeconds(10));
        play.all();
        assertThat(both)
                .extracting(id -> play.machines().status(id).position().action())
                .containsOnlyNulls();
    }

    @Test
    default void whileItWaitsItHoldsNothing(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(ORDER);
        play.machines().start(ORDER, new Order(1, ""));
        play.all();
        assertThat(rig.count("default", JobState.RUNNING)).isZero();
        assertThat(play.worker().sleep()).isEqualTo(Duration.ofDays(3));
    }

    @Test
    default void aTimerRingsOnTimeAndNotWhenTheStateWasLeft(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(ORDER);
        RunId idle = play.machines().start(ORDER, new Order(1, "")).id();
        RunId paid = play.machines().start(ORDER, new Order(1, "")).id();
        assertThat(play.machines().status(idle).position().timerAt())
                .isEqualTo(rig.time().now().plus(Duration.ofDays(3)));
        play.machines().send(paid, "pay", new Payment(1));
        play.all();
        rig.advance(Duration.ofDays(3).minusNanos(1_000));
        assertThat(play.all()).isZero();
        rig.advance(Duration.ofNanos(1_000));
        play.all();
        assertThat(play.machines().status(idle).position().state()).isEqualTo("expired");
        assertThat(play.machines().data(idle, ORDER).trail()).isEqualTo("too late");
        assertThat(history(play, idle))
                .containsExactly("STARTED new", "TIMED new: PT72H", "ENTERED expired", "SUCCEEDED expired");
        assertThat(play.machines().status(paid).position().state()).isEqualTo("paid");
    }

    @Test
    default void stayingKeepsTheTimerAndIgnoringAnEventToo(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(ORDER);
        RunId id = play.machines().start(ORDER, new Order(5, "")).id();
        rig.advance(Duration.ofDays(2));
        play.machines().send(id, "note", "call back, ");
        play.machines().send(id, "shipped");
        play.machines().send(id, "pay", new Payment(4));
        play.all();
        assertThat(play.machines().status(id).position().timerAt())
                .isEqualTo(rig.time().now().plus(Duration.ofDays(1)));
        rig.advance(Duration.ofDays(1));
        play.all();
        assertThat(play.machines().data(id, ORDER).trail()).isEqualTo("call back, too late");
        assertThat(history(play, id))
                .containsExactly(
                        "STARTED new",
                        "SIGNALLED new: note",
                        "ENTERED new",
                        "IGNORED new: shipped: state 'new' takes only [pay, note]",
                        "IGNORED new: pay: no guard in state 'new' lets it pass",
                        "TIMED new: PT72H",
                        "ENTERED expired",
                        "SUCCEEDED expired");
    }

    @Test
    default void anEventThatCannotBeReadIsIgnoredWithTheReason(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(ORDER);
        RunId id = play.machines().start(ORDER, new Order(5, "")).id();
        play.machines().sendJson(id, "pay", "{\"cents\":\"much\"}", null);
        play.all();
        assertThat(play.machines().status(id).run()).isEqualTo(RunState.AWAITING);
        assertThat(history(play, id).getLast()).startsWith("IGNORED new: pay: it could not be taken: event 'pay'");
    }

    @Test
    default void anUnexpectedEventFailsAMachineThatSaysSo(Rig rig) {
        Machine<Order> strict = Machine.named("strict", 1, Order.class)
                .state("one", s -> s.on("go").goTo("two"))
                .state("two", s -> s.on("back").goTo("one"))
                .initial("one")
                .onUnexpected(Unexpected.FAIL)
                .build();
        WorkflowRig play = new WorkflowRig(rig, "default").register(strict);
        RunId id = play.machines().start(strict, new Order(1, "")).id();
        play.machines().send(id, "back");
        play.all();
        assertThat(play.machines().status(id).run()).isEqualTo(RunState.FAILED);
        assertThat(play.machines().status(id).life().detail())
                .isEqualTo("state 'one', event back: state 'one' takes only [go]");
        assertThat(play.workflows().retry(id, "again")).isEqualTo(OperationResult.DONE);
        play.machines().send(id, "go");
        play.all();
        assertThat(play.machines().status(id).position().state()).isEqualTo("two");
    }

    @Test
    default void anEventKeyCountsOnce(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(ORDER);
        RunId id = play.machines().start(ORDER, new Order(9, "")).id();
        RunId other = play.machines().start(ORDER, new Order(9, "")).id();
        assertThat(play.machines().send(id, "note", "a", "n-1")).isTrue();
        assertThat(play.machines().send(id, "note", "a", "n-1")).isFalse();
        play.all();
        assertThat(play.machines().send(id, "note", "a", "n-1")).isFalse();
        assertThat(play.machines().send(id, "note", "b", "n-2")).isTrue();
        assertThat(play.machines().send(other, "note", "c", "n-1")).isTrue();
        play.all();
        assertThat(play.machines().data(id, ORDER).trail()).isEqualTo("ab");
        assertThat(play.machines().data(other, ORDER).trail()).isEqualTo("c");
        assertThat(history(play, id)).contains("SIGNALLED new: note (n-1)", "SIGNALLED new: note (n-2)");
    }

    @Test
    default void eventsThatComeDuringAnEntryActionAreTakenAfterIt(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(ORDER);
        RunId id = play.machines().start(ORDER, new Order(1, "")).id();
        play.machines().send(id, "pay", new Payment(1));
        play.machines().send(id, "shipped");
        assertThat(play.machines().pending(id)).extracting(SentEvent::event).containsExactly("pay", "shipped");
        play.all();
        assertThat(play.machines().status(id).position().state()).isEqualTo("done");
        assertThat(play.machines().pending(id)).isEmpty();
    }

    @Test
    default void whatItCannotTakeIsRefusedWithItsId(Rig rig) {
        Workflow<Order, Order> plain = Workflow.named("plain", 1, Order.class)
                .awaitSignal("pay", Payment.class, (order, payment) -> order)
                .build();
        WorkflowRig play = new WorkflowRig(rig, "default").register(ORDER).register(plain);
        RunId id = play.machines().start(ORDER, new Order(1, "")).id();
        RunId run = play.workflows().start(plain, new Order(1, "")).id();
        assertThatThrownBy(() -> play.machines().send(RunId.of(4711), "pay"))
                .isInstanceOf(UnknownRunException.class)
                .hasMessageContaining("instance 4711: there is no such instance");
        assertThatThrownBy(() -> play.machines().send(id, "pya"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "event 'pya' to instance %s: expected one of the events of machine 'order' version 1: [note, pay, shipped]"
                                .formatted(id));
        assertThatThrownBy(() -> play.machines().send(run, "pay"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("to instance %s: expected an instance of a state machine".formatted(run));
        rig.advance(Duration.ofDays(3));
        play.all();
        assertThatThrownBy(() -> play.machines().send(id, "pay", new Payment(1)))
                .isInstanceOf(RunEndedException.class)
                .hasMessageContaining("event 'pay' to instance %s".formatted(id))
                .hasMessageContaining("it is SUCCEEDED");
    }

    @Test
    default void aCancelledInstanceTakesNothingMore(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(ORDER);
        RunId id = play.machines().start(ORDER, new Order(1, "")).id();
        play.machines().send(id, "pay", new Payment(1));
        assertThat(play.machines().cancel(id, "changed their mind")).isEqualTo(OperationResult.DONE);
        play.all();
        MachineStatus status = play.machines().status(id);
        assertThat(status.run()).isEqualTo(RunState.CANCELLED);
        assertThat(status.position().state()).isEqualTo("new");
        assertThat(status.life().detail()).isEqualTo("changed their mind");
        assertThat(play.machines().pending(id)).extracting(SentEvent::event).containsExactly("pay");
        assertThatThrownBy(() -> play.machines().send(id, "pay", new Payment(1)))
                .isInstanceOf(RunEndedException.class);
        assertThat(play.machines().cancel(id, "again")).isEqualTo(OperationResult.WRONG_STATE);
        rig.advance(Duration.ofDays(3));
        play.all();
        assertThat(play.machines().status(id).run()).isEqualTo(RunState.CANCELLED);
    }

    @Test
    default void aKeyStartsOneInstance(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(ORDER);
        RunId id = play.machines()
                .start(ORDER, new Order(1, "first"), run -> run.key("order-7"))
                .id();
        assertThat(play.machines()
                        .start(ORDER, new Order(1, "second"), run -> run.key("order-7"))
                        .id())
                .isEqualTo(id);
        assertThat(play.machines().list("order", RunFilter.all()))
                .singleElement()
                .satisfies(one -> assertThat(one.origin().key()).isEqualTo("order-7"));
    }

    @Test
    default void itCanBeStartedWithoutItsCode(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(ORDER);
        RunId id = play.workflows()
                .startJson("order", 1, "{\"cents\":3,\"trail\":\"\"}", run -> {})
                .id();
        play.machines().send(id, "pay", new Payment(3));
        play.all();
        assertThat(play.machines().isInstance(id)).isTrue();
        assertThat(play.machines().data(id, ORDER).trail()).isEqualTo("paid 3, packed, ");
    }

    @Test
    default void aMachineOfAnotherShapeUnderTheSameVersionIsRefused(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(ORDER);
        Machine<Order> changed = Machine.named("order", 1, Order.class)
                .state("new", s -> s.on("pay").goTo("done"))
                .finalState("done")
                .initial("new")
                .build();
        assertThatThrownBy(() -> play.register(changed))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("machine 'order' version 1")
                .hasMessageContaining("'event pay' where 'event note' was")
                .hasMessageContaining("version 2");
    }
}
