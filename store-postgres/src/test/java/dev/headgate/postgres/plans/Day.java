package dev.headgate.postgres.plans;

import static dev.headgate.proof.Jobs.job;

import dev.headgate.internal.query.BacklogStore;
import dev.headgate.job.JobCursor;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus.Progress;
import dev.headgate.job.Outcome;
import dev.headgate.job.ParkReason;
import dev.headgate.limit.BacklogFullException;
import dev.headgate.limit.GateKey;
import dev.headgate.proof.Jobs;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.WorkflowRig;
import dev.headgate.run.RunId;
import dev.headgate.schedule.Schedule;
import dev.headgate.schedule.ScheduleTerms;
import dev.headgate.spi.JobRow;
import dev.headgate.workflow.Workflow;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** What workers and programs that enqueue do all day, a little of each, in the queues that the rest of the store waits in. */
final class Day {
    record Order(List<Integer> items, int sum) {}

    private static final Workflow<Order, Order> SHIP = Workflow.named("ship", 1, Order.class)
            .then("first", (order, step) -> order)
            .then("second", (order, step) -> order)
            .forEach(
                    "each",
                    Order::items,
                    Integer.class,
                    Integer.class,
                    (item, step) -> {
                        step.artifact("item " + item, "kept");
                        return item;
                    },
                    (item, options) -> options.gate("item" + item % 2))
            .reduce((order, results) -> order)
            .sleep("nap", Duration.ofSeconds(5))
            .awaitSignal("paid", Integer.class, (order, cents) -> new Order(order.items(), cents))
            .then("last", (order, step) -> order)
            .build();

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final List<String> QUEUES = List.of("work", "fair", "capped");

    private final Rig rig;
    private int number;

    Day(Rig rig) {
        this.rig = rig;
    }

    static void policies(Rig rig) {
        rig.policy("queue work", "concurrency 100000")
                .policy("queue fair", "fair by t:*")
                .policy("queue capped", "backlog 100 reject")
                .policy("gate cap", "backlog 3 drop-oldest")
                .policy("gate k*", "concurrency 1")
                .policy("gate line", "concurrency 5")
                .policy("gate r", "rate 5/1s burst 5; journal 9s");
    }

    void live() {
        number++;
        ScriptedWorker worker = rig.register("worker of day " + number, QUEUES.toArray(String[]::new));
        returns(worker);
        gates(worker);
        timesAndDeadlines(worker);
        dependencies(worker);
        sharesAndCaps(worker);
        worker.claim(20);
        worker.finishAll();
        patterns();
        operations(worker);
        schedules();
        workflows();
        listings();
        housekeeping(worker);
        worker.leave();
    }

    private void listings() {
        rig.store().overview(100);
        BacklogStore backlog = new BacklogStore(rig.store().backend());
        backlog.read(List.of(), 50);
        backlog.totals(1_000);
        JobFilter few = JobFilter.all().limit(20);
        rig.store().page(few);
        rig.store().page(few.queue("work"));
        rig.store().page(few.type("none"));
        rig.store().page(few.label("team", "none"));
        rig.store().page(few.label("team", "t7").queue("work"));
        for (JobState state : JobState.values()) {
            rig.store().page(few.state(state));
            rig.store().page(few.state(state).type("none"));
            rig.store().page(few.state(state).gate("none"));
        }
        for (String gate : List.of("line", "k1")) {
            rig.store().page(few.gate(gate));
            rig.store().page(few.holding(gate));
            rig.store().page(few.waiting(gate));
            rig.store().page(few.waiting(gate).queue("work").after(JobCursor.behind(0, 0)));
        }
    }

    /** Ahead of the million that wait in the same queue. */
    private static Jobs.Draft work() {
        return job("work").priority(5);
    }

    private void returns(ScriptedWorker worker) {
        rig.enqueue(12, work());
        List<JobId> jobs = worker.claim(12);
        worker.heartbeat();
        worker.report(jobs.get(0), new Progress(50, "half"), "a line");
        worker.fail(jobs.get(1), "broken");
        worker.retryAfter(jobs.get(2), Duration.ofMillis(100));
        worker.retryNow(jobs.get(3));
        worker.park(jobs.get(4), ParkReason.UNKNOWN_HANDLER);
        worker.handBack(jobs.get(5));
        rig.store().cancel(jobs.get(6));
        worker.cancelled(jobs.get(6));
        JobRow pushed = worker.lease(jobs.get(7));
        rig.store().holds().pushBack(pushed, new Outcome.PushedBack("d" + number, SECOND, 0, "429"));
        worker.depart(jobs.get(8));
        worker.finishAll();
        rig.store().revive(List.of("work", "type0", "type1", "type2", "type3", "type4", "type5", "type6"));
        rig.store().glance(QUEUES);
    }

    private void gates(ScriptedWorker worker) {
        for (int i = 0; i < 5; i++) {
            rig.enqueue(work().gate("d" + number + "-" + i));
            rig.enqueue(2, work().gate("r").cost(2));
        }
        rig.enqueue(work().gate("k7", "r"));
        rig.enqueue(work().gate("line", "x" + number));
        for (int second = 0; second < 3; second++) {
            worker.turn(10, worker.ended());
            worker.turn(10, worker.ended());
            rig.advance(SECOND);
        }
        worker.finishAll();
    }

    private void timesAndDeadlines(ScriptedWorker worker) {
        rig.enqueue(3, work().after(SECOND));
        rig.enqueue(2, work().gate("later" + number).after(SECOND));
        rig.enqueue(2, work().gate("k8").deadline(rig.time().now().plusSeconds(1)));
        rig.enqueue(work().dedup("once").dedupFor(SECOND));
        rig.enqueue(work().dedup("once").dedupFor(SECOND));
        rig.advance(Duration.ofSeconds(2));
        rig.enqueue(work().dedup("once").dedupFor(SECOND));
        worker.turn(20, worker.ended());
        worker.turn(20, worker.ended());
    }

    /** What a worker of patterns asks besides. */
    private void patterns() {
        ScriptedWorker worker = rig.register("patterns of day " + number, "site:*");
        rig.enqueue(2, job("site:" + number));
        rig.enqueue(job("site:a" + number).gate("d" + number));
        rig.enqueue(job("site:b" + number).after(SECOND));
        worker.turn(5);
        rig.store().fileDue(List.of("site:*"));
        rig.advance(SECOND);
        worker.turn(5, worker.ended());
        worker.finishAll();
        worker.leave();
        rig.store().glance(List.of("*"));
        new BacklogStore(rig.store().backend()).admissible(List.of("*"), 5);
    }

    private void dependencies(ScriptedWorker worker) {
        JobId first = rig.enqueue(work().gate("first" + number));
        JobId second = rig.enqueue(work().gate("first" + number).after(first));
        rig.enqueue(work().after(second));
        rig.enqueue(work().gate("k9"), work().children(0));
        rig.explain(second);
        worker.turn(20, worker.ended());
        worker.finishAll();
        rig.store().cancel(second);
        rig.store().retry(second);
    }

    private void sharesAndCaps(ScriptedWorker worker) {
        for (int i = 0; i < 4; i++) {
            rig.enqueue(2, job("fair").gate("t:" + i));
            rig.enqueue(work().gate("cap"));
        }
        try {
            rig.enqueue(job("capped"));
        } catch (BacklogFullException full) {
            // There is more than enough in it, once the store is full.
        }
        worker.turn(20, worker.ended());
        worker.turn(20, worker.ended());
    }

    private void operations(ScriptedWorker worker) {
        List<JobId> jobs = rig.enqueue(5, work().gate("k1"));
        jobs.forEach(rig::explain);
        rig.store().reschedule(jobs.get(0), rig.time().now().plusSeconds(60));
        rig.store().cancel(jobs.get(1));
        rig.store().retry(jobs.get(1));
        rig.store().delete(jobs.get(2));
        rig.store().cancel(jobs.get(3));
        rig.store().delete(jobs.get(3));
        rig.store().find(jobs.get(4));
        rig.store().hold(GateKey.gate("k2"), SECOND, "by hand");
        rig.store().clear(GateKey.gate("r"));
        rig.explain(rig.enqueue(job("work")));
        rig.explain(rig.enqueue(job("fair").gate("t:late")));
        new BacklogStore(rig.store().backend()).admissible(QUEUES, 50);
        worker.heartbeat();
    }

    private void schedules() {
        rig.schedules()
                .put(
                        "each second",
                        ScheduleTerms.of(Schedule.every(SECOND), work().build().spec(), Duration.ZERO));
        rig.advance(SECOND);
        rig.schedules().fire();
        rig.schedules().left();
    }

    private void workflows() {
        WorkflowRig play = new WorkflowRig(rig, "default").register(SHIP);
        List<Integer> items = IntStream.range(0, 5).boxed().toList();
        RunId run = play.workflows().start(SHIP, new Order(items, 0)).id();
        new BacklogStore(rig.store().backend()).admissible(List.of("default"), 50);
        play.all();
        rig.advance(Duration.ofSeconds(5));
        play.all();
        play.workflows().signal(run, "paid", 7);
        play.all();
        RunId other = play.workflows().start(SHIP, new Order(items, 0)).id();
        play.workflows().pause(other, "wait");
        play.all();
        play.workflows().resume(other, "go");
        play.workflows().cancel(other, "enough");
        play.all();
        play.workflows().work(run);
        play.workflows().timeline(run);
        play.workflows().export(run);
        play.worker().leave();
    }

    private void housekeeping(ScriptedWorker worker) {
        worker.claim(3);
        ScriptedWorker lost = rig.register("lost on day " + number, "work");
        lost.claim(3);
        rig.lose(lost);
        rig.store().prune(Duration.ofDays(400));
        rig.store().prune(Duration.ofDays(1).plusSeconds(300_000 - number * 100));
        rig.store().pruneJournal();
        rig.store().policyStore().reviveMisfits();
        rig.store().revive(List.of("work"));
        worker.finishAll();
    }
}
