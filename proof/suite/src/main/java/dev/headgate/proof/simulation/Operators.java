package dev.headgate.proof.simulation;

import dev.headgate.internal.job.JobStore;
import dev.headgate.internal.policy.PolicyRequest;
import dev.headgate.internal.schedule.ScheduleStore;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Pause;
import dev.headgate.limit.PolicyOptions;
import dev.headgate.limit.Retention;
import dev.headgate.policy.PolicyChange;
import dev.headgate.policy.PolicyEdit;
import dev.headgate.proof.Jobs;
import dev.headgate.proof.Rig;
import dev.headgate.schedule.Missed;
import dev.headgate.schedule.Overlap;
import dev.headgate.schedule.Schedule;
import dev.headgate.schedule.ScheduleTerms;
import dev.headgate.store.StoreUnavailableException;
import java.time.Duration;
import java.util.List;

/** Operators that change limits, pauses, holds and schedules while all other parts work. */
final class Operators {
    private static final int SCHEDULES = 3;
    private static final String AUTHOR = "operator";
    private static final int VERSIONS_SEEN = 1_000;

    private final Options options;
    private final Timeline timeline;
    private final Tracks tracks;
    private final Line line;
    private final JobStore jobs;
    private final ScheduleStore schedules;
    private final List<String> keys;
    private final List<String> gates;
    private boolean isBusy;
    private boolean isHealing;

    Operators(World.Parts parts, Store store) {
        this.options = parts.options();
        this.timeline = parts.timeline();
        this.tracks = parts.tracks();
        Host host = new Host("operator");
        host.up();
        this.line = new Line(host, store, Dice.of(options.seed(), 900));
        this.jobs = new JobStore(line, timeline::now);
        this.schedules = new ScheduleStore(line);
        this.keys = Options.keys(options.gateCount());
        this.gates = Options.gates(options.gateCount());
    }

    void open() {
        options.policies().forEach(text -> {
            int colon = text.indexOf(": ");
            jobs.setPolicy(Rig.key(text.substring(0, colon)), GatePolicy.parse(text.substring(colon + 2)));
        });
        Duration kept = Pruners.retention(options.seed());
        if (kept != null) {
            jobs.setPolicy(GateKey.queue("*"), GatePolicy.OPEN.options(PolicyOptions.NONE.with(new Retention(kept))));
        }
    }

    /** Does what a fault asks for, unless there is something else in hand. */
    void act(Fault fault) {
        if (isBusy || isHealing) {
            return;
        }
        attempt(() -> {
            switch (fault.kind()) {
                case POLICY -> setPolicy(fault);
                case HOLD -> jobs.hold(gate(fault), Duration.ofMillis(1 + fault.size()), "simulated");
                case CLEAR -> {
                    GateKey gate = gate(fault);
                    line.telling(told -> tracks.gates().cleared(gate), () -> {
                        jobs.clear(gate);
                        return gate;
                    });
                }
                case PAUSED_WORK -> pause(fault);
                case SCHEDULE -> schedule(fault);
                default -> throw new IllegalArgumentException("not for operators: " + fault.kind());
            }
        });
    }

    private boolean attempt(Runnable what) {
        isBusy = true;
        try {
            what.run();
            return true;
        } catch (StoreUnavailableException away) {
            return false;
        } finally {
            isBusy = false;
        }
    }

    private GateKey gate(Fault fault) {
        return GateKey.gate(gates.get(fault.target() % gates.size()));
    }

    /** For good, for a while, or as it was before. */
    private void setPolicy(Fault fault) {
        GateKey key = Rig.key(keys.get(fault.target() % keys.size()));
        int number = fault.size() / Options.LIMITS.size();
        GatePolicy policy =
                GatePolicy.parse(Options.withBackOff(Options.LIMITS.get(fault.size() % Options.LIMITS.size())));
        switch (number % 8) {
            case 0, 1 -> {
                PolicyEdit meanwhile = new PolicyEdit.OverrideFor(
                        policy.options(PolicyOptions.NONE), Duration.ofMillis(20 + 9L * fault.size()));
                jobs.changePolicies(PolicyRequest.of(key, meanwhile, AUTHOR, "simulated"));
            }
            case 2 -> jobs.changePolicies(PolicyRequest.of(key, new PolicyEdit.EndOverride(), AUTHOR, "simulated"));
            case 3 -> undo();
            default -> jobs.setPolicy(key, policy);
        }
    }

    private void undo() {
        // A pause makes a version too, but is no change that could be taken back.
        boolean isAnyChange = jobs.policyStore().history(Long.MAX_VALUE, VERSIONS_SEEN).stream()
                .flatMap(version -> version.changes().stream())
                .anyMatch(change -> change.kind() != PolicyChange.Kind.ENDED);
        if (isAnyChange) {
            jobs.policyStore().undo(null, AUTHOR, "simulated");
        }
    }

    private void pause(Fault fault) {
        Pause pause =
                switch (fault.size() % 6) {
                    case 0, 1, 2 -> Pause.queue(Options.QUEUES.get(fault.target() % Options.QUEUES.size()));
                    case 3 -> Pause.type("other");
                    case 4 -> Pause.gate("t:*");
                    default -> Pause.gate(gates.get(fault.target() % gates.size()));
                };
        jobs.policyStore().pause(pause, AUTHOR, "simulated");
        timeline.after(1_000_000L * (1 + fault.size()), null, () -> resume(pause));
    }

    private void resume(Pause pause) {
        boolean isDone = !isBusy && attempt(() -> jobs.policyStore().resume(pause));
        if (!isDone) {
            timeline.after(50_000_000, null, () -> resume(pause));
        }
    }

    private static <T> T pick(List<T> some, int number) {
        return some.get(number % some.size());
    }

    private void schedule(Fault fault) {
        String name = "s" + fault.target() % SCHEDULES;
        if (fault.size() % 5 == 0) {
            schedules.remove(name);
            return;
        }
        Schedule every = Schedule.every(Duration.ofSeconds(1 + fault.size() % 5))
                .missed(pick(List.of(Missed.values()), fault.size()))
                .overlap(pick(List.of(Overlap.values()), fault.target()));
        Jobs.Draft job = Jobs.job(Options.QUEUES.get(fault.size() % Options.QUEUES.size()))
                .gate(gates.get(fault.target() % gates.size()))
                .payload("{\"token\":-1,\"gates\":[]}");
        schedules.put(name, ScheduleTerms.of(every, job.build().spec(), Duration.ZERO));
    }

    /**
     * Ends what only time or an operator can end: pauses, quotas of an hour, schedules. Tries until all of it is done.
     */
    void heal() {
        isHealing = true;
        boolean isDone = !isBusy
                && attempt(() -> {
                    jobs.policyStore()
                            .pauses()
                            .forEach(row -> jobs.policyStore().resume(row.pause()));
                    new java.util.TreeMap<>(jobs.policies().stored()).forEach((key, policy) -> {
                        if (policy.text().contains("quota")) {
                            jobs.setPolicy(key, GatePolicy.parse("concurrency 3"));
                        }
                    });
                    for (int i = 0; i < SCHEDULES; i++) {
                        schedules.remove("s" + i);
                    }
                });
        if (!isDone) {
            timeline.after(10_000_000, null, this::heal);
        }
    }
}
