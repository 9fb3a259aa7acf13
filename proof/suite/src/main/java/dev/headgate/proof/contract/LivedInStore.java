package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;

import dev.headgate.internal.figure.FigureKeeper;
import dev.headgate.internal.lease.EndedLease;
import dev.headgate.internal.limiter.GateLimiter;
import dev.headgate.internal.limiter.PermitStore;
import dev.headgate.internal.policy.PolicyRequest;
import dev.headgate.internal.resource.Profile;
import dev.headgate.internal.resource.ProfileLearner.Declared;
import dev.headgate.internal.resource.ResourceStore;
import dev.headgate.job.JobId;
import dev.headgate.job.JobStatus.Progress;
import dev.headgate.job.Outcome;
import dev.headgate.job.ParkReason;
import dev.headgate.job.Unmet;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Pause;
import dev.headgate.policy.PolicyEdit;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.resource.Headroom;
import dev.headgate.resource.Needs;
import dev.headgate.schedule.Missed;
import dev.headgate.schedule.Overlap;
import dev.headgate.schedule.Schedule;
import dev.headgate.schedule.ScheduleTerms;
import dev.headgate.spi.FigureRow;
import dev.headgate.spi.FigureRow.Grain;
import dev.headgate.spi.PermitRow;
import dev.headgate.spi.RequestKeyRow;
import dev.headgate.spi.TokenRow;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A store in which every kind of row stands: jobs in every state, gates of every kind with something in use, runs, schedules, and
 * what they leave behind. {@link FrozenContract} keeps such stores as text, one for each version of the tables.
 */
final class LivedInStore {
    private static final Duration DAY = Duration.ofDays(1);

    private final Rig rig;

    private LivedInStore(Rig rig) {
        this.rig = rig;
    }

    static void fill(Rig rig) {
        LivedInStore store = new LivedInStore(rig);
        store.policies();
        store.journals();
        store.attempts();
        rig.advance(Duration.ofDays(9)); // what ended is more than a week old, and some of it is not
        store.ends();
        store.dependencies();
        new LivedInRuns(rig).fill();
        store.schedules();
        store.profiles();
        store.tokens();
        store.permits();
        store.requestKeys();
        store.figures();
        store.shares();
        store.parked();
        store.waiting();
        store.running();
        store.arriving();
    }

    private void change(String key, PolicyEdit edit, String reason) {
        rig.store().changePolicies(PolicyRequest.of(Rig.key(key), edit, "ada", reason));
    }

    /** Every kind of limit, and every kind of change. */
    private void policies() {
        rig.policy("queue lived", "concurrency 100; rate 1000/1s burst 1000")
                .policy("queue fair", "concurrency 1; fair by t:*")
                .policy("queue timed", "concurrency 2; fair by t:* by-time")
                .policy("queue capped", "backlog 100 reject")
                .policy("gate places", "concurrency 1; journal 7d")
                .policy("gate units", "budget 4")
                .policy("gate adaptive", "adaptive 1..4")
                .policy("gate rate", "rate 1/1h burst 2; journal 7d")
                .policy("gate window", "window 2/1h; journal 7d")
                .policy("gate ended", "window 9/1h margin end; journal 7d")
                .policy("gate tokens", "window 1000/1h by-cost; journal 7d")
                .policy("gate spaced", "spaced 1/1h")
                .policy("gate delay", "delay 1h")
                .policy("gate quota", "quota 2/day Europe/Berlin")
                .policy("gate tried", "shadow concurrency 1")
                .policy("gate capped", "backlog 10 drop-oldest")
                .policy("gate t:heavy", "weight 3")
                .policy("gate tenant:*", "concurrency 2")
                .policy("type asked", "requires places, tenant:*")
                .policy("type asked:*", "requires places; defaults gate=places units=places=3 cost=2 retry=fixed%205s");
        change("gate raised", new PolicyEdit.Replace(GatePolicy.parse("concurrency 1")), "set");
        change("gate raised", new PolicyEdit.OverrideFor(GatePolicy.parse("concurrency 2"), DAY), "for a day");
        change("gate raised", new PolicyEdit.EndOverride(), "enough");
        change(
                "gate raised",
                new PolicyEdit.OverrideFor(GatePolicy.parse("concurrency 3"), Duration.ofDays(90)),
                "for long");
        change("gate passing", new PolicyEdit.Replace(GatePolicy.parse("concurrency 1")), "set");
        change("gate passing", new PolicyEdit.OverrideFor(GatePolicy.parse("concurrency 2"), DAY), "until tomorrow");
        change("gate removed", new PolicyEdit.Replace(GatePolicy.parse("concurrency 1")), "set");
        change("gate removed", new PolicyEdit.Remove(), "not needed");
        change("gate undone", new PolicyEdit.Replace(GatePolicy.parse("concurrency 1")), "set by mistake");
        rig.store().policyStore().undo(null, "ada", "taken back");
        rig.store().policyStore().pause(Pause.queue("paused"), "ada", "queue: a line\nand another");
        rig.store().policyStore().pause(Pause.gate("paused"), "ada", "it's a gate");
        rig.store().policyStore().pause(Pause.type("paused"), "ada", "a type");
    }

    /** Every kind of evidence. */
    private void journals() {
        ScriptedWorker worker = rig.register("lived journals", "lived");
        JobId settled = rig.enqueue(job("lived").gate("tokens", 700));
        worker.claim(1);
        worker.turn(0, new EndedLease(worker.lease(settled), new Outcome.Succeeded("{}"), Map.of("tokens", 200L)));
        JobId late = rig.enqueue(job("lived").gate("window"));
        worker.claim(1);
        rig.advance(Duration.ofSeconds(2));
        worker.turn(0, new EndedLease(worker.lease(late), new Outcome.Late(Duration.ofSeconds(2))));
        rig.store().cancel(late);
        rig.enqueue(job("lived").gate("rate"));
        worker.claim(1);
        worker.finishAll();
        rig.store().clear(Rig.key("gate rate"));
        ScriptedWorker lost = rig.register("lived lost", "lived");
        rig.enqueue(job("lived").gate("ended"));
        lost.claim(1);
        rig.lose(lost);
        worker.claim(1);
        worker.finishAll();
        worker.leave();
    }

    /** Attempts that ended in every way, log lines and progress. */
    private void attempts() {
        ScriptedWorker worker = rig.register("lived attempts", "lived");
        List<JobId> jobs = rig.enqueue(4, job("lived").type("send").payload("{\"to\":\"o'neil\"}"));
        worker.claim(50);
        worker.report(jobs.get(0), new Progress(50, "half"), "a line", "another; with ' and \\");
        worker.retryAfter(jobs.get(0), Duration.ofSeconds(1));
        worker.fail(jobs.get(1), "broken\nin two lines");
        rig.store().cancel(jobs.get(2));
        worker.retryAfter(jobs.get(2), Duration.ofSeconds(1));
        worker.handBack(jobs.get(3), "no heartbeat reached the store");
        rig.advance(Duration.ofSeconds(2));
        worker.claim(4);
        worker.finishAll();
        worker.leave();
    }

    /** Jobs that ended with everything that a job can have. */
    private void ends() {
        ScriptedWorker worker = rig.register("lived ends", "lived");
        JobId all = rig.enqueue(job("lived")
                .gate("tenant:acme", "units")
                .cost(2)
                .priority(7)
                .front()
                .keepPlace()
                .dedup("ended once")
                .dedupFor(DAY)
                .timeout(Duration.ofMinutes(5))
                .deadline(rig.time().now().plus(DAY))
                .attempts(9)
                .retry("fixed 1s")
                .label("team", "lived")
                .header("traceparent", "00-lived"));
        worker.claim(50);
        worker.finish(all, "{\"sum\":7}");
        rig.enqueue(job("lived").after(DAY).deadline(rig.time().now().plusSeconds(1)));
        rig.advance(Duration.ofSeconds(2));
        worker.claim(1);
        worker.leave();
    }

    /** Edges of every kind and outcome; one job still waits. */
    private void dependencies() {
        ScriptedWorker worker = rig.register("lived dependencies", "lived");
        JobId good = rig.enqueue(job("lived"));
        JobId bad = rig.enqueue(job("lived"));
        JobId stopped = rig.enqueue(job("lived"));
        JobId deleted = rig.enqueue(job("lived"));
        rig.enqueue(job("lived").after(good));
        rig.enqueue(job("lived").after(bad));
        rig.enqueue(job("lived").after(Unmet.IGNORE, bad, stopped, deleted));
        rig.enqueue(job("lived").after(Unmet.REMOVE, good));
        rig.store().cancel(stopped);
        rig.store().delete(deleted);
        worker.claim(50);
        worker.fail(bad, "broken");
        worker.finish(good);
        worker.claim(9);
        worker.finishAll();
        JobId open = rig.enqueue(job("lived").gate("paused"));
        rig.enqueue(job("lived").after(Unmet.FAIL, open));
        rig.enqueue(job("lived").after(Unmet.IGNORE, open));
        rig.enqueue(job("lived").after(Unmet.REMOVE, open));
        rig.enqueue(
                job("lived").type("first child"),
                job("lived").after(DAY),
                job("lived").children(0, 1));
        worker.claim(1);
        worker.finishAll();
        worker.leave();
    }

    private void schedules() {
        put("nightly", Schedule.cron("0 3 * * *", "Europe/Berlin").missed(Missed.ALL));
        put("often", Schedule.every(Duration.ofMinutes(5)).missed(Missed.SKIP).overlap(Overlap.SKIP));
        put("buffered", Schedule.every(Duration.ofHours(1)).missed(Missed.ONE).overlap(Overlap.BUFFER));
        put("once", Schedule.once(rig.time().now().plusSeconds(1)));
        put("stopped", Schedule.every(DAY));
        rig.advance(Duration.ofHours(2));
        rig.schedules().fire();
        rig.schedules().pause("stopped");
    }

    private void put(String name, Schedule schedule) {
        rig.schedules()
                .put(
                        name,
                        ScheduleTerms.of(
                                schedule,
                                job("scheduled")
                                        .type(name)
                                        .label("schedule", name)
                                        .build()
                                        .spec(),
                                Duration.ofSeconds(1)));
    }

    private void profiles() {
        ResourceStore rooms = new ResourceStore(rig.store().backend());
        Profile profile = new Profile();
        for (int i = 0; i < Profile.SAMPLES_MIN; i++) {
            profile.took(1_000_000L * (i + 1));
            profile.used(1 << 20);
        }
        rooms.learn(Map.of("send", profile));
        rooms.declare(Map.of("heavy", new Declared(Needs.of("desk", 3), 5_000_000L)));
    }

    private void permits() {
        rig.store().backend().write(tx -> tx.permits().insert(new PermitRow(-9, "t1 a", tx.now(), "{\"gates\":[]}")));
    }

    private void tokens() {
        rig.store().backend().write(tx -> {
            long now = tx.now();
            String hash = "0".repeat(64);
            return tx.tokens().insert(new TokenRow("t1", "the mailer", hash, "read", "mail", "", now, now + 1, now));
        });
    }

    private void requestKeys() {
        rig.store().backend().write(tx -> {
            String hash = "0".repeat(64);
            String answer = "{\"id\":1,\"new\":true}";
            return tx.requestKeys().put(List.of(new RequestKeyRow("t1", "key", hash, 201, answer, tx.now())), 0);
        });
    }

    /** A row of each grain. */
    private void figures() {
        new FigureKeeper(rig.store().backend()).run();
        rig.advance(Duration.ofSeconds(10));
        new FigureKeeper(rig.store().backend()).run();
        rig.store().backend().write(tx -> {
            FigureRow part = new FigureRow(Grain.PART, tx.now(), "process/1", "queue lived\te1 s1\n");
            tx.figures().add(List.of(part));
            return part;
        });
    }

    /** Lanes that wait for their turn of a fair queue, by number and by time; jobs of them run. */
    private void shares() {
        for (String queue : List.of("fair", "timed")) {
            for (String tenant : List.of("t:light", "t:heavy")) {
                rig.enqueue(3, job(queue).gate(tenant));
            }
            rig.register("lived " + queue, queue).claim(2);
        }
    }

    private void parked() {
        ScriptedWorker worker = rig.register("lived parked", "lived");
        JobId unknown = rig.enqueue(job("lived").type("unknown"));
        JobId unreadable = rig.enqueue(job("lived").type("unreadable").gate("tenant:parked"));
        worker.claim(50);
        worker.park(unknown, ParkReason.UNKNOWN_HANDLER);
        worker.park(unreadable, ParkReason.UNREADABLE_PAYLOAD);
        rig.enqueue(job("lived").gate("never").cost(9));
        rig.policy("gate never", "budget 5");
        rig.enqueue(job("lived").type("paused"));
        worker.claim(9);
        worker.finishAll();
        worker.leave();
    }

    /** A line at a gate of every kind, and jobs that wait for their time. */
    private void waiting() {
        ScriptedWorker worker = rig.register("lived waiting", "lived");
        List<String> gates = List.of(
                "places", "units", "adaptive", "rate", "window", "spaced", "delay", "quota", "paused", "raised");
        rig.store().hold(Rig.key("gate held"), Duration.ofDays(2), "429");
        for (String gate : gates) {
            rig.enqueue(5, job("lived").gate(gate, "tenant:" + gate).cost(2));
        }
        rig.enqueue(job("lived").gate("held"));
        rig.enqueue(3, job("lived").gate("capped"));
        rig.enqueue(2, job("capped"));
        worker.claim(100);
        rig.enqueue(job("lived").after(Duration.ofDays(3)).dedup("scheduled once"));
        rig.enqueue(job("lived").gate("places").after(Duration.ofDays(3)).label("team", "waits"));
        rig.enqueue(2, job("paused"));
        GateLimiter.of(new PermitStore(rig.store().backend(), rig.ticker()), "tenant:permit")
                .tryAcquire();
    }

    /** What runs: one job with progress, one that is to stop, on a worker that has told what room it has. */
    private void running() {
        ScriptedWorker worker = rig.register("lived running", "rooms");
        worker.room(Headroom.system().amount("desk", 3), Map.of("heavy", Needs.of("desk", 1)));
        List<JobId> jobs = rig.enqueue(2, job("rooms").type("heavy").gate("tokens", "tenant:running"));
        rig.enqueue(2, job("rooms").type("heavy"));
        rig.advance(Duration.ofHours(2));
        worker.claim(3);
        worker.report(jobs.getFirst(), new Progress(10, "begun"), "begun");
        rig.store().cancel(jobs.getLast());
    }

    /** Last of all, because the next turn takes these away. */
    private void arriving() {
        for (int i = 0; i < 4; i++) {
            rig.enqueue(job("lived").gate("tenant:ready" + i));
        }
        rig.register("lived ready", "lived").claim(1);
        rig.enqueue(job("lived").gate("tenant:new"));
        JobId looked = rig.enqueue(job("lived"));
        rig.store().backend().write(tx -> {
            tx.edges().addLooks(List.of(looked.value()));
            return null;
        });
    }
}
