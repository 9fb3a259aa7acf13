package dev.headgate.proof.differential;

import static dev.headgate.proof.Jobs.job;

import dev.headgate.job.Unmet;
import dev.headgate.limit.Pause;
import dev.headgate.proof.Jobs;
import dev.headgate.proof.differential.Command.Operation;
import dev.headgate.proof.differential.Command.Return;
import dev.headgate.proof.differential.Command.Way;
import dev.headgate.schedule.Missed;
import dev.headgate.schedule.Overlap;
import dev.headgate.schedule.Schedule;
import dev.headgate.schedule.ScheduleTerms;
import dev.headgate.spi.NewJob;
import dev.headgate.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Makes up commands from a seed. Few names and small numbers, so that everything meets everything. */
final class Script {
    static final int WORKERS = 3;
    private static final int SCHEDULES = 3;
    static final List<String> QUEUES = List.of("a", "b", "c");

    private static final List<String> GATES = List.of("g", "h", "t:1", "t:2", "ü'\uD83D\uDE80*");
    private static final List<String> POLICY_KEYS = List.of(
            "gate g",
            "gate g",
            "gate h",
            "gate t:*",
            "gate t:1",
            "gate ü'\uD83D\uDE80*",
            "queue a",
            "queue b",
            "queue *");
    private static final List<String> LIMITS = List.of(
            "concurrency 1",
            "concurrency 2",
            "budget 3",
            "budget 5; concurrency 3",
            "rate 1/1s burst 1",
            "rate 7/10s burst 2",
            "rate 5/1s burst 5 by-cost",
            "concurrency 2; rate 2/1s burst 2",
            "rate 3/1s burst 1; rate 5/10s burst 3",
            "fair by t:*",
            "concurrency 1; fair by t:*",
            "budget 5; fair by t:* by-cost",
            "concurrency 2; fair by t:1 by-time; weight 3",
            "window 3/1s",
            "window 6/3s by-cost; concurrency 3",
            "spaced 4/1s",
            "delay 142ms; concurrency 2",
            "adaptive 1..3",
            "concurrency 2; shadow window 1/3s; journal 9s",
            "backlog 3 reject",
            "backlog 2 drop-oldest; concurrency 2",
            "");
    private static final List<Pause> PAUSES =
            List.of(Pause.queue("a"), Pause.gate("g"), Pause.gate("t:*"), Pause.type("other"), Pause.type("other"));
    private static final List<Duration> STEPS = List.of(
            Duration.ofNanos(1_000),
            Duration.ofMillis(1),
            Duration.ofMillis(142),
            Duration.ofMillis(250),
            Duration.ofMillis(500),
            Duration.ofSeconds(1),
            Duration.ofSeconds(3),
            Duration.ofSeconds(9),
            Duration.ofSeconds(31));

    private final Random random;

    private Script(long seed) {
        this.random = new Random(seed);
    }

    static List<Command> of(long seed, int length) {
        Script script = new Script(seed);
        List<Command> commands = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            commands.add(script.next());
        }
        return List.copyOf(commands);
    }

    private Command next() {
        int dice = random.nextInt(112);
        if (dice < 22) {
            return random.nextInt(4) == 0 ? enqueueAfter() : new Command.Enqueue(jobs());
        } else if (dice < 40) {
            return new Command.Claim(worker(), 1 + random.nextInt(4));
        } else if (dice < 60) {
            return new Command.Turn(worker(), random.nextInt(4), returns());
        } else if (dice < 72) {
            return new Command.Advance(pick(STEPS));
        } else if (dice < 81) {
            return new Command.Operate(pick(List.of(Operation.values())), random.nextInt(1000));
        } else if (dice < 89) {
            return new Command.Policy(pick(POLICY_KEYS), pick(LIMITS));
        }
        return rare(dice);
    }

    private Command rare(int dice) {
        return switch (dice) {
            case 89 -> new Command.StepBack(pick(STEPS));
            case 90, 91 -> new Command.Crash(worker());
            case 92, 93 -> new Command.Reap();
            case 94 -> new Command.Zombie(worker(), random.nextInt(1000));
            case 95 -> new Command.Leave(worker());
            case 96 -> new Command.Redrive(random.nextBoolean() ? null : pick(QUEUES));
            case 97 -> new Command.Report(worker(), random.nextInt(1000));
            case 98 -> new Command.Prune(pick(STEPS));
            case 99 -> new Command.Hold(pick(GATES), pick(STEPS));
            case 100 -> new Command.Clear(pick(GATES));
            case 101 -> new Command.Pause(pick(PAUSES));
            case 102, 103 -> new Command.Resume(pick(PAUSES));
            case 104, 105 -> new Command.PutSchedule(random.nextInt(SCHEDULES), terms());
            case 106 -> new Command.SwitchSchedule(random.nextInt(SCHEDULES), pick(List.of(Command.Switch.values())));
            case 107, 108, 109, 110 -> new Command.Fire();
            default -> new Command.Heartbeat(worker());
        };
    }

    private ScheduleTerms terms() {
        Schedule schedule = random.nextInt(8) == 0
                ? Schedule.once(VirtualTime.START.plus(pick(STEPS)))
                : Schedule.every(Duration.ofSeconds(1 + random.nextInt(9)));
        schedule = schedule.missed(pick(List.of(Missed.values()))).overlap(pick(List.of(Overlap.values())));
        Jobs.Draft job = job(pick(QUEUES)).gate(pick(GATES)).cost(random.nextInt(4));
        if (random.nextInt(4) == 0) {
            job.dedup("key " + random.nextInt(3));
        }
        return ScheduleTerms.of(schedule, job.build().spec(), random.nextBoolean() ? Duration.ZERO : pick(STEPS));
    }

    private int worker() {
        return random.nextInt(WORKERS);
    }

    private List<Return> returns() {
        List<Return> returns = new ArrayList<>();
        int count = random.nextInt(4);
        for (int i = 0; i < count; i++) {
            Way way = random.nextInt(100) < 45 ? Way.SUCCEED : pick(List.of(Way.values()));
            returns.add(new Return(random.nextInt(1000), way));
        }
        return List.copyOf(returns);
    }

    private Command enqueueAfter() {
        List<Integer> picks = new ArrayList<>();
        int count = random.nextInt(4);
        for (int i = 0; i < count; i++) {
            picks.add(random.nextInt(1000));
        }
        Unmet unmet = random.nextBoolean() ? Unmet.FAIL : pick(List.of(Unmet.values()));
        return new Command.EnqueueAfter(jobs(), List.copyOf(picks), unmet);
    }

    private List<NewJob> jobs() {
        List<NewJob> jobs = new ArrayList<>();
        int count = random.nextInt(3) == 0 ? 1 + random.nextInt(6) : 1;
        for (int i = 0; i < count; i++) {
            jobs.add(draft().build());
        }
        return List.copyOf(jobs);
    }

    private Jobs.Draft draft() {
        Jobs.Draft draft = job(pick(QUEUES)).cost(random.nextInt(4)).attempts(1 + random.nextInt(4));
        int gates = random.nextInt(4);
        for (int i = 0; i < gates; i++) {
            if (random.nextInt(6) == 0) {
                draft.gate(pick(GATES), random.nextInt(4));
            } else {
                draft.gate(pick(GATES));
            }
        }
        if (random.nextInt(4) == 0) {
            draft.type("other");
        }
        if (random.nextInt(5) == 0) {
            draft.priority(random.nextInt(4) - 1);
        }
        if (random.nextInt(8) == 0) {
            draft.front();
        }
        if (random.nextInt(5) == 0) {
            draft.after(pick(STEPS));
        }
        if (random.nextInt(6) == 0) {
            draft.dedup("key " + random.nextInt(3));
            if (random.nextBoolean()) {
                draft.dedupFor(pick(STEPS));
            }
        }
        if (random.nextInt(10) == 0) {
            draft.deadline(VirtualTime.START.plus(pick(STEPS).multipliedBy(1 + random.nextInt(5))));
        }
        return draft;
    }

    private <T> T pick(List<T> some) {
        return some.get(random.nextInt(some.size()));
    }
}
