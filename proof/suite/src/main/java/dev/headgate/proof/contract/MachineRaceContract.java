package dev.headgate.proof.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.Headgate;
import dev.headgate.Machines;
import dev.headgate.Worker;
import dev.headgate.internal.time.WallClock;
import dev.headgate.machine.Machine;
import dev.headgate.proof.StoreFixture;
import dev.headgate.run.RunId;
import dev.headgate.run.RunState;
import dev.headgate.spi.Backend;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Real threads: several senders and workers on one instance. */
public interface MachineRaceContract extends StoreFixture {
    int SENDERS = 4;
    int EVENTS = 40;

    /** What one sender sends, numbered. */
    record Item(int sender, int number) {}

    /** All that was taken, in the order in which it was. */
    record Taken(List<Item> items) {
        Taken plus(Item item) {
            List<Item> more = new ArrayList<>(items);
            more.add(item);
            return new Taken(more);
        }
    }

    @Test
    default void eventsOfManySendersAreTakenOnceAndInTheOrderOfEach() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        Machine<Taken> machine = Machine.named("collector", 1, Taken.class)
                .state("odd", s -> s.on("item", Item.class).then(Taken::plus).goTo("even"))
                .state(
                        "even",
                        s -> s.on("item", Item.class)
                                .when(taken -> taken.items().size() < SENDERS * EVENTS - 1)
                                .then(Taken::plus)
                                .goTo("odd")
                                .on("item", Item.class)
                                .then(Taken::plus)
                                .goTo("full"))
                .finalState(
                        "full",
                        s -> s.onEntry("tell", (taken, step) -> {
                            end.countDown();
                            return taken;
                        }))
                .initial("odd")
                .build();
        try (Backend backend = open(WallClock::micros);
                Headgate headgate = Headgate.open(backend);
                ExecutorService threads = Executors.newFixedThreadPool(SENDERS)) {
            Machines machines = headgate.machines().register(machine);
            RunId id = machines.start(machine, new Taken(List.of())).id();
            try (Worker one = headgate.worker("default").slots(4).start();
                    Worker two = headgate.worker("default").slots(4).start()) {
                CyclicBarrier barrier = new CyclicBarrier(SENDERS);
                List<Future<?>> senders = new ArrayList<>();
                for (int sender = 0; sender < SENDERS; sender++) {
                    int me = sender;
                    senders.add(threads.submit(() -> {
                        barrier.await();
                        for (int i = 0; i < EVENTS; i++) {
                            // Every event twice, as by a sender that did not hear the answer.
                            machines.send(id, "item", new Item(me, i), "%d-%d".formatted(me, i));
                            machines.send(id, "item", new Item(me, i), "%d-%d".formatted(me, i));
                        }
                        return null;
                    }));
                }
                for (Future<?> sender : senders) {
                    sender.get();
                }
                assertThat(end.await(240, TimeUnit.SECONDS))
                        .as("took %s", machines.data(id, machine).items().size())
                        .isTrue();
            }
            assertThat(machines.status(id).run()).isEqualTo(RunState.SUCCEEDED);
            List<Item> items = machines.data(id, machine).items();
            for (int sender = 0; sender < SENDERS; sender++) {
                int me = sender;
                assertThat(items.stream().filter(item -> item.sender() == me).map(Item::number))
                        .as("events of sender %d", me)
                        .containsExactlyElementsOf(
                                IntStream.range(0, EVENTS).boxed().toList());
            }
        }
    }
}
