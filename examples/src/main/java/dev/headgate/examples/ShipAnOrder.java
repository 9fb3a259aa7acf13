package dev.headgate.examples;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import dev.headgate.Headgate;
import dev.headgate.handler.PermanentFailure;
import dev.headgate.run.Guardrail;
import dev.headgate.run.Join;
import dev.headgate.run.RunFilter;
import dev.headgate.run.RunId;
import dev.headgate.run.RunStatus;
import dev.headgate.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;

/** A workflow: steps that are jobs, a fan-out, a signal, a compensation and a budget. */
public final class ShipAnOrder {
    private ShipAnOrder() {}

    record Order(String id, List<String> parcels) {
        Order acceptedWith(Payment payment) {
            return payment.cents() > 0 ? this : withdrawn();
        }

        Order withdrawn() {
            return new Order(id, List.of());
        }

        List<Order> split() {
            return parcels.stream()
                    .map(parcel -> new Order(id + " " + parcel, List.of(parcel)))
                    .toList();
        }
    }

    record Shipment(String order, List<String> parcels, List<String> labels, int paidCents) {
        Shipment labelled(List<String> all) {
            return new Shipment(order, parcels, all, paidCents);
        }

        Shipment paid(Payment payment) {
            return new Shipment(order, parcels, labels, payment.cents());
        }
    }

    record Payment(int cents) {}

    // docs:begin ship
    static final Workflow<Order, Shipment> SHIP = Workflow.named("ship", 1, Order.class)
            .then(
                    "reserve",
                    Shipment.class,
                    (order, step) -> reserve(order),
                    s -> s.gate("warehouse").cost(2))
            .compensate("release", (shipment, step) -> release(shipment))
            .sleep("cool-off", ofMillis(20))
            .forEach("label", Shipment::parcels, String.class, String.class, (parcel, step) -> "label of " + parcel)
            .join(Join.all())
            .reduce(Shipment::labelled)
            .awaitSignal("paid", Payment.class, Shipment::paid)
            .then(
                    "hand-over",
                    (shipment, step) -> handOver(shipment),
                    s -> s.attempts(3).timeout(ofMinutes(1)))
            .onFailure("tell", (ending, step) -> say("sorry: " + ending.reason()))
            .budget(b -> b.maxCostUnits(100).maxTransitions(200))
            .build();
    // docs:end

    // docs:begin offer
    static final Workflow<Order, Order> OFFER = Workflow.named("offer", 1, Order.class)
            .awaitSignal("accepted", Payment.class, ofDays(3), Order::acceptedWith, Order::withdrawn)
            .spawnEach("parcels", SHIP, Order::split)
            .build();
    // docs:end

    public static void main(String[] args) throws InterruptedException {
        try (Headgate headgate = Headgate.open(args.length > 0 ? args[0] : "jdbc:sqlite:shipping.db")) {
            headgate.workflows().register(SHIP).register(OFFER);
            headgate.worker("default").start();
            RunId id = start(headgate, new Order("order-7", List.of("books", "lamp")));
            headgate.workflows().signal(id, "paid", new Payment(4_200));
            headgate.workflows().await(id, ofSeconds(10));
            System.out.println(headgate.workflows().result(id, SHIP).labels());
            RunId unpaid = start(headgate, new Order("order-8", List.of("sofa")));
            headgate.workflows().signal(unpaid, "paid", new Payment(0));
            headgate.workflows().await(unpaid, ofSeconds(10));
            System.out.println(headgate.workflows().status(unpaid).state());
            topUp(headgate);
            RunId offer = headgate.workflows()
                    .start(OFFER, new Order("order-10", List.of("pen", "ink")))
                    .id();
            headgate.workflows().signal(offer, "accepted", new Payment(300));
            headgate.workflows().await(offer, ofSeconds(10));
            System.out.println(
                    headgate.workflows().list(RunFilter.all().workflow("ship").limit(2)).stream()
                            .map(run -> run.origin().parent())
                            .allMatch(offer::equals));
        }
    }

    private static RunId start(Headgate headgate, Order order) {
        // docs:begin start
        RunId id = headgate.workflows()
                .start(
                        SHIP,
                        order,
                        run -> run.key(order.id())
                                .budget(b -> b.maxCostUnits(50).maxTransitions(20)))
                .id();
        // docs:end
        return id;
    }

    private static void topUp(Headgate headgate) throws InterruptedException {
        Order order = new Order("order-9", List.of("piano"));
        RunId id = headgate.workflows()
                .start(SHIP, order, run -> run.budget(b -> b.maxCostUnits(3)))
                .id();
        headgate.workflows().signal(id, "paid", new Payment(9_900));
        headgate.workflows().await(id, ofSeconds(10));
        // docs:begin work
        for (RunStatus.Work work : headgate.workflows().work(id)) {
            System.out.println(work.jobs() + " " + work.text());
        }
        // docs:end
        // docs:begin top-up
        RunStatus stopped = headgate.workflows().status(id);
        System.out.println(stopped.state() + ": " + stopped.life().detail());
        headgate.workflows().topUp(id, Guardrail.COST_UNITS, 10, "the piano is worth it");
        headgate.workflows().resume(id, "topped up");
        // docs:end
        headgate.workflows().await(id, ofSeconds(10));
        System.out.println(headgate.workflows().status(id).state());
    }

    private static Shipment reserve(Order order) {
        return new Shipment(order.id(), order.parcels(), List.of(), 0);
    }

    private static Shipment release(Shipment shipment) {
        say("released " + shipment.order());
        return shipment;
    }

    private static Shipment handOver(Shipment shipment) {
        if (shipment.paidCents() == 0) {
            throw new PermanentFailure("nobody has paid for " + shipment.order());
        }
        return shipment.labelled(new ArrayList<>(shipment.labels()));
    }

    private static String say(String words) {
        System.out.println(words);
        return words;
    }
}
