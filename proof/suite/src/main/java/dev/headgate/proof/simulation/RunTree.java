package dev.headgate.proof.simulation;

import dev.headgate.run.Guardrail;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * I10 for workflows: what a run and all below it have really taken, counted from commits and leases, beside what its budget
 * allows and what the store says it has spent.
 */
final class RunTree {
    /** The order in which the store writes the accounts of a budget. */
    private static final Guardrail[] ORDER = Guardrail.values();

    private final Judge judge;
    private final Map<Guardrail, Long> limits = new EnumMap<>(Guardrail.class);
    private @Nullable RunPart root;
    private long transitions;
    private long items;
    private long spawned;
    private long running;
    private long runningCost;
    private long attempts;
    private long cost;

    /** Children by parent, the revision that made them, and their place. */
    private final Set<String> places = new HashSet<>();

    /** What the store says was taken when the run entered a step, for the latest time it did; by step. */
    private final Map<String, Map<Guardrail, Long>> marks = new HashMap<>();

    RunTree(Judge judge) {
        this.judge = judge;
    }

    void root(RunPart part) {
        root = part;
    }

    RunPart root() {
        return Objects.requireNonNull(root);
    }

    /** A step was entered. */
    void moved() {
        transitions++;
    }

    /** The run enters a step, and a rewind to it goes back to these figures. */
    void marked(String step, String spent) {
        Map<Guardrail, Long> figures = new EnumMap<>(Guardrail.class);
        String[] stored = spent.split(" ", -1); // in the order of the guardrails
        for (Guardrail each : Guardrail.values()) {
            figures.put(each, Long.parseLong(stored[figures.size()]));
        }
        marks.put(step, figures);
    }

    /** What was spent since the run entered this step is forgotten. What is under way then is spent when it ends. */
    void rewound(String step) {
        Map<Guardrail, Long> mark = marks.get(step);
        if (mark == null) {
            judge.broken("I26", "run %d: rewound to step '%s', which it never entered".formatted(root().id, step));
            return;
        }
        transitions = Math.min(transitions, mark.getOrDefault(Guardrail.TRANSITIONS, 0L));
        attempts = Math.min(attempts, mark.getOrDefault(Guardrail.ATTEMPTS, 0L));
        cost = Math.min(cost, mark.getOrDefault(Guardrail.COST_UNITS, 0L));
        items = Math.min(items, mark.getOrDefault(Guardrail.FAN_OUT_ITEMS, 0L));
        spawned = Math.min(spawned, mark.getOrDefault(Guardrail.CHILD_RUNS, 0L));
    }

    /** A child came into being; I25: once. */
    void child(RunPart child) {
        RunPart parent = Objects.requireNonNull(child.parent);
        items++;
        spawned += child.isRun ? 1 : 0;
        if (!places.add(parent.id + "/" + parent.row.position().revision() + "/"
                + child.row.tree().place())) {
            judge.broken(
                    "I25",
                    "%s: created twice as number %d of %s"
                            .formatted(child, child.row.tree().place(), parent));
        }
        within(Guardrail.FAN_OUT_ITEMS, items);
        within(Guardrail.CHILD_RUNS, spawned);
        within(Guardrail.DEPTH, child.row.tree().depth());
    }

    /** A step starts: it must have been paid for. */
    void granted(long units) {
        running++;
        runningCost += units;
        within(Guardrail.ATTEMPTS, attempts + running);
        within(Guardrail.COST_UNITS, cost + runningCost);
    }

    /** A lease of a step has ended; {@code isAttempt} unless it was handed back as if nothing had been. */
    void released(long units, boolean isAttempt) {
        running--;
        runningCost -= units;
        attempts += isAttempt ? 1 : 0;
        cost += isAttempt ? units : 0;
    }

    private void within(Guardrail guardrail, long taken) {
        Long limit = limits.get(guardrail);
        if (limit != null && taken > limit) {
            judge.broken(
                    "I10", "run %d: %s is %d, but %d are taken".formatted(root().id, guardrail.title(), limit, taken));
        }
    }

    /** Reads the budget as it is stored before a commit is judged: it may have been topped up. */
    void budget(String text) {
        String[] lines = text.split(" ", -1);
        for (int i = 0; i < ORDER.length; i++) {
            limits.put(ORDER[i], Long.parseLong(lines[i].split("/", -1)[0]));
        }
    }

    /** Of a whole commit: what the store says is spent is what was taken, and no more than allowed. */
    void check() {
        String[] lines = Objects.requireNonNull(root().row.guard().budget()).split(" ", -1);
        for (int i = 0; i < ORDER.length; i++) {
            String[] figures = lines[i].split("/", -1);
            long used = Long.parseLong(figures[1]);
            switch (ORDER[i]) {
                case TRANSITIONS -> same(ORDER[i], used, transitions);
                case ATTEMPTS -> same(ORDER[i], used, attempts);
                case COST_UNITS -> same(ORDER[i], used, cost);
                case FAN_OUT_ITEMS -> same(ORDER[i], used, items);
                case CHILD_RUNS -> same(ORDER[i], used, spawned);
                default -> {}
            }
            within(ORDER[i], ORDER[i].isPeak() ? used : used + Long.parseLong(figures[2]));
        }
    }

    private void same(Guardrail guardrail, long said, long counted) {
        if (said != counted) {
            judge.broken(
                    "I10",
                    "run %d: %d of %s are said to be spent, but %d were"
                            .formatted(root().id, said, guardrail.title(), counted));
        }
    }
}
