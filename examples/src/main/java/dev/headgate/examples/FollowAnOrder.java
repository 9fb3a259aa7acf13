package dev.headgate.examples;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofSeconds;

import dev.headgate.Headgate;
import dev.headgate.handler.PermanentFailure;
import dev.headgate.machine.Machine;
import dev.headgate.machine.MachineStatus;
import dev.headgate.run.RunEvent;
import dev.headgate.run.RunId;
import org.jspecify.annotations.Nullable;

/** A state machine: events with guards, an entry action that is a job, a timer, and a history. */
public final class FollowAnOrder {
    private FollowAnOrder() {}

    record Order(
            String id, int cents, int paidCents, @Nullable String parcel) {
        Order paid(Payment payment) {
            return new Order(id, cents, payment.cents(), parcel);
        }

        Order packed(String as) {
            return new Order(id, cents, paidCents, as);
        }
    }

    record Payment(int cents) {}

    // docs:begin machine
    static final Machine<Order> ORDER = Machine.named("order", 1, Order.class)
            .state(
                    "new",
                    s -> s.on("pay", Payment.class)
                            .when((order, payment) -> payment.cents() >= order.cents())
                            .then(Order::paid)
                            .goTo("paid")
                            .after(ofDays(3))
                            .goTo("expired"))
            .state(
                    "paid",
                    s -> s.onEntry(
                                    "pack",
                                    (order, step) -> pack(order),
                                    o -> o.gate("warehouse").attempts(3))
                            .onFailure()
                            .goTo("review")
                            .on("shipped")
                            .goTo("done"))
            .state("review", s -> s.on("pack-again").goTo("paid").on("give-up").goTo("refunded"))
            .finalState("done")
            .finalState("expired")
            .finalState("refunded", s -> s.onEntry("refund", (order, step) -> refund(order)))
            .initial("new")
            .budget(b -> b.maxTransitions(1_000))
            .build();
    // docs:end

    public static void main(String[] args) throws InterruptedException {
        try (Headgate headgate = Headgate.open(args.length > 0 ? args[0] : "jdbc:sqlite:orders.db")) {
            headgate.machines().register(ORDER);
            headgate.worker("default").start();
            RunId id = ship(headgate);
            headgate.workflows().await(id, ofSeconds(10));
            print(headgate, id);
            RunId broken = headgate.machines()
                    .start(ORDER, new Order("order-8", 10, 0, null))
                    .id();
            headgate.machines().send(broken, "pay", new Payment(10));
            headgate.machines().send(broken, "give-up");
            headgate.workflows().await(broken, ofSeconds(10));
            System.out.println(headgate.machines().status(broken).position().state());
        }
    }

    private static RunId ship(Headgate headgate) {
        Order order = new Order("order-7", 4_200, 0, null);
        // docs:begin send
        RunId id = headgate.machines()
                .start(ORDER, order, run -> run.key(order.id()))
                .id();
        headgate.machines().send(id, "pay", new Payment(100));
        headgate.machines().send(id, "pay", new Payment(4_200), "payment-12");
        headgate.machines().send(id, "pay", new Payment(4_200), "payment-12"); // answers false, and does nothing
        headgate.machines().send(id, "shipped");
        // docs:end
        return id;
    }

    private static void print(Headgate headgate, RunId id) {
        // docs:begin look
        MachineStatus status = headgate.machines().status(id);
        System.out.println(status.position().state() + " " + headgate.machines().data(id, ORDER));
        for (RunEvent event : headgate.machines().timeline(id)) {
            System.out.println(
                    event.kind() + " " + event.step() + (event.detail() == null ? "" : ": " + event.detail()));
        }
        // docs:end
    }

    private static Order pack(Order order) {
        if (order.cents() < 100) {
            throw new PermanentFailure("too small to pack");
        }
        return order.packed("parcel of " + order.id());
    }

    private static Order refund(Order order) {
        System.out.println("refunded " + order.paidCents());
        return order;
    }
}
