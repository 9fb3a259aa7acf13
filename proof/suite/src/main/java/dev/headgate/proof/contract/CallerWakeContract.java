package dev.headgate.proof.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.Headgate;
import dev.headgate.JsonJob;
import dev.headgate.Worker;
import dev.headgate.job.JobType;
import dev.headgate.machine.Machine;
import dev.headgate.proof.Rig;
import dev.headgate.proof.contract.WorkflowContract.Trail;
import dev.headgate.run.RunId;
import dev.headgate.schedule.Schedule;
import dev.headgate.spi.Backend;
import dev.headgate.store.CallerTransaction;
import dev.headgate.workflow.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Each act in a caller's transaction wakes the workers of other processes at the commit. The worker here would look by
 * itself only in an hour and is not asked to: what it starts, the commit has told it of.
 */
public interface CallerWakeContract extends CallerTransactionContract {
    JobType<String> NOTE = JobType.of("note", String.class);

    /** A worker in another process, and what its handlers have seen. */
    final class Elsewhere implements AutoCloseable {
        private static final Duration SOON = Duration.ofSeconds(30);

        private final BlockingQueue<String> seen = new LinkedBlockingQueue<>();
        private final CallerWakeContract contract;
        private final List<Backend> backends;
        private final Headgate here;
        private final Headgate there;
        private final Worker worker;

        /** Runs whose parts each tell that they were reached. */
        private final Workflow<Trail, Trail> talking = Workflow.named("talking", 1, Trail.class)
                .then("begin", (trail, step) -> told("began", trail))
                .awaitSignal("go", String.class, (trail, word) -> trail.plus(word))
                .then("end", (trail, step) -> told("ended", trail))
                .build();

        private final Workflow<Trail, Trail> asking = Workflow.named("asking", 1, Trail.class)
                .awaitApproval("boss")
                .then("go", (trail, step) -> told("approved", trail))
                .build();

        private final Machine<Trail> door = Machine.named("door", 1, Trail.class)
                .state(
                        "new",
                        s -> s.onEntry("make", (trail, step) -> told("made", trail))
                                .on("open")
                                .goTo("open"))
                .state(
                        "open",
                        s -> s.onEntry("swing", (trail, step) -> told("opened", trail))
                                .on("shut")
                                .goTo("shut"))
                .state(
                        "shut",
                        s -> s.onEntry("click", (trail, step) -> told("shut", trail))
                                .on("burn")
                                .goTo("burnt"))
                .finalState("burnt")
                .initial("new")
                .build();

        private Elsewhere(CallerWakeContract contract, Rig rig) throws InterruptedException {
            this.contract = contract;
            this.backends = List.of(contract.reopen(rig.time()), contract.reopen(rig.time()));
            this.here = Headgate.open(backends.getFirst());
            this.there = Headgate.open(backends.getLast());
            there.handle(NOTE, (text, job) -> seen.add(text));
            for (Headgate each : List.of(here, there)) {
                each.workflows().register(talking);
                each.workflows().register(asking);
                each.machines().register(door);
            }
            this.worker = there.worker("default").pollEvery(Duration.ofHours(1)).start();
            // As soon as a store listens, its worker looks for what it may have missed. That look must be over.
            here.enqueue(NOTE, "first");
            expect("first");
            here.enqueue(NOTE, "second");
            expect("second");
        }

        private Trail told(String what, Trail trail) {
            seen.add(what + " " + trail.path());
            return trail;
        }

        /** Does this in a transaction; the commit alone makes the worker see the rest. */
        private void commit(Consumer<CallerTransaction> act, String... expected) throws InterruptedException {
            assertThat(worker.awaitIdle(SOON)).isTrue();
            try (Caller caller = contract.begin()) {
                act.accept(caller.transaction());
                caller.commit();
            }
            expect(expected);
        }

        private void expect(String... expected) throws InterruptedException {
            List<String> came = new ArrayList<>();
            for (int i = 0; i < expected.length; i++) {
                came.add(seen.poll(SOON.toSeconds(), TimeUnit.SECONDS));
            }
            assertThat(came).containsExactlyInAnyOrder(expected);
        }

        @Override
        public void close() {
            here.close();
            there.close();
            backends.forEach(Backend::close);
        }
    }

    @Test
    default void everyWayToEnqueueWakesAtTheCommit(Rig rig) throws InterruptedException {
        try (Elsewhere other = new Elsewhere(this, rig)) {
            Headgate here = other.here;
            other.commit(tx -> here.in(tx).enqueue(NOTE, "one"), "one");
            other.commit(tx -> here.in(tx).enqueue(NOTE, "gated", job -> job.gate("a")), "gated");
            other.commit(tx -> here.in(tx).enqueue(NOTE, "keyed", job -> job.dedup("k")), "keyed");
            other.commit(tx -> here.in(tx).enqueueAll(NOTE, List.of("a", "b")), "a", "b");
            other.commit(tx -> here.in(tx).enqueueJson("note", "\"json\"", job -> {}), "json");
            other.commit(tx -> here.in(tx).enqueueAllJson(List.of(new JsonJob("note", "\"many\"", job -> {}))), "many");
        }
    }

    @Test
    default void startsSignalsAndApprovalsWakeAtTheCommit(Rig rig) throws InterruptedException {
        try (Elsewhere other = new Elsewhere(this, rig)) {
            Headgate here = other.here;
            RunId[] run = new RunId[1];
            other.commit(
                    tx -> run[0] = here.workflows()
                            .in(tx)
                            .start(other.talking, new Trail("1"))
                            .id(),
                    "began 1");
            other.commit(tx -> here.workflows().in(tx).signal(run[0], "go", "!"), "ended 1!");
            other.commit(
                    tx -> here.workflows().in(tx).startAll(other.talking, List.of(new Trail("2")), (each, o) -> {}),
                    "began 2");
            other.commit(
                    tx -> run[0] = here.workflows()
                            .in(tx)
                            .startJson("talking", 1, "{\"path\":\"3\"}", o -> {})
                            .id(),
                    "began 3");
            other.commit(tx -> here.workflows().in(tx).signalJson(run[0], "go", "\"?\""), "ended 3?");
            RunId asked = here.workflows().start(other.asking, new Trail("4")).id();
            other.commit(tx -> here.workflows().in(tx).approve(asked, "boss", "ann", "fine"), "approved 4");
        }
    }

    @Test
    default void eventsAndSchedulesWakeAtTheCommit(Rig rig) throws InterruptedException {
        try (Elsewhere other = new Elsewhere(this, rig)) {
            Headgate here = other.here;
            RunId[] door = new RunId[1];
            other.commit(
                    tx -> door[0] = here.machines()
                            .in(tx)
                            .start(other.door, new Trail("5"))
                            .id(),
                    "made 5");
            other.commit(tx -> here.machines().in(tx).send(door[0], "open"), "opened 5");
            other.commit(tx -> here.machines().in(tx).sendJson(door[0], "shut", "null", "once"), "shut 5");
            Schedule now = Schedule.once(rig.time().now());
            other.commit(tx -> here.schedules().in(tx).put("now", now, NOTE, "fired"), "fired");
        }
    }
}
