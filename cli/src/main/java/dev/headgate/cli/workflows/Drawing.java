package dev.headgate.cli.workflows;

import dev.headgate.cli.display.Wording;
import dev.headgate.run.RunEvent;
import dev.headgate.run.RunEvent.Kind;
import dev.headgate.run.RunId;
import dev.headgate.run.RunState;
import dev.headgate.run.RunStatus;
import dev.headgate.run.RunStatus.Work;
import dev.headgate.run.RunStatus.Work.Stand;
import dev.headgate.run.WorkflowDefinition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Draws a run from what the store knows: its parts, what happened to them, and what is still to come. */
final class Drawing {
    private final Map<RunId, List<RunStatus>> children = new HashMap<>();
    private final Map<RunId, List<RunEvent>> events = new HashMap<>();
    private final Map<String, WorkflowDefinition> definitions = new HashMap<>();
    private final Instant now;
    private final int childrenMax;

    /** @param childrenMax how many branches, items or child runs of one step to draw; the rest is counted */
    Drawing(
            List<RunStatus> tree,
            List<RunEvent> timeline,
            List<WorkflowDefinition> known,
            Instant now,
            int childrenMax) {
        for (RunStatus part : tree) {
            if (part.origin().parent() != null) {
                children.computeIfAbsent(part.origin().parent(), id -> new ArrayList<>())
                        .add(part);
            }
        }
        timeline.forEach(event ->
                events.computeIfAbsent(event.part(), id -> new ArrayList<>()).add(event));
        known.forEach(each -> definitions.put(each.toString(), each));
        this.now = now;
        this.childrenMax = childrenMax;
    }

    /** One line of the drawing. */
    record Knot(String name, Look look, String note, List<Knot> below) {}

    /** How a line looks. */
    enum Look {
        DONE("✓"),
        GOING("▶"),
        WAITING("◌"),
        STOPPED("‖"),
        FAILED("✗"),
        CANCELLED("⊘"),
        TO_COME("·"),
        MORE("…");

        private final String mark;

        Look(String mark) {
            this.mark = mark;
        }

        String mark() {
            return mark;
        }

        static Look of(RunStatus run) {
            return RunRows.isWaitingToRun(run) ? WAITING : of(run.state());
        }

        private static Look of(RunState state) {
            return switch (state) {
                case SUCCEEDED -> DONE;
                case RUNNING, CANCELLING -> GOING;
                case SLEEPING, AWAITING, JOINING -> WAITING;
                case PAUSED, BUDGET_EXCEEDED -> STOPPED;
                case FAILED -> FAILED;
                case CANCELLED -> CANCELLED;
            };
        }
    }

    /** A step that was entered: how often, when last, and when it was left. */
    private record Visit(int times, Instant at, @Nullable Instant left) {
        Visit again(Instant when) {
            return new Visit(times + 1, when, null);
        }
    }

    Knot of(RunStatus run) {
        String took = Wording.span(RunRows.took(run, now));
        String detail = RunRows.isWaitingToRun(run) ? "" : RunRows.detail(run, now);
        String note = "%s, %s%s".formatted(standing(run), took, detail.isEmpty() ? "" : ": " + detail);
        return new Knot(title(run), Look.of(run), note, steps(run));
    }

    /** Its state in words, or where its step waits. */
    private String standing(RunStatus run) {
        return RunRows.isWaitingToRun(run) ? RunRows.detail(run, now) : Wording.word(run.state());
    }

    private static String title(RunStatus run) {
        return RunRows.isRun(run)
                ? "run %s of %s@%d"
                        .formatted(
                                run.id(), run.origin().workflow(), run.origin().version())
                : "%s [%d]".formatted(run.origin().name(), run.origin().place());
    }

    private List<Knot> steps(RunStatus run) {
        Map<String, Visit> entered = entered(run.id());
        Map<String, List<RunStatus>> below = byStep(run.id());
        Map<String, String> kinds = kinds(run);
        List<Knot> knots = new ArrayList<>();
        entered.forEach((step, entry) -> knots.add(step(run, step, entry, kinds, below)));
        if (run.state() != RunState.SUCCEEDED) {
            toCome(run).stream()
                    .filter(step -> !entered.containsKey(step))
                    .forEach(step -> knots.add(new Knot(named(step, kinds), Look.TO_COME, "", List.of())));
        }
        return knots;
    }

    private Knot step(
            RunStatus run, String step, Visit entry, Map<String, String> kinds, Map<String, List<RunStatus>> below) {
        boolean isHere = step.equals(run.position().step());
        Look look = isHere ? Look.of(run) : Look.DONE;
        List<String> notes = new ArrayList<>();
        if (look == Look.DONE) {
            Instant left = entry.left();
            notes.add(left == null ? "" : Wording.span(Duration.between(entry.at(), left)));
        } else {
            notes.add(standing(run));
        }
        if (entry.times() > 1) {
            notes.add("%,d times".formatted(entry.times()));
        }
        notes.removeIf(String::isEmpty);
        return new Knot(named(step, kinds), look, String.join(", ", notes), parts(below.getOrDefault(step, List.of())));
    }

    /** Plain steps need no word for their kind. */
    private static String named(String step, Map<String, String> kinds) {
        String kind = kinds.getOrDefault(step, "then");
        return kind.equals("then") ? step : "%s (%s)".formatted(step, kind);
    }

    /** Steps in the order they were entered; a rewind takes back what came after. */
    private Map<String, Visit> entered(RunId part) {
        Map<String, Visit> entered = new LinkedHashMap<>();
        String current = null;
        RunEvent before = null; // the latest that put it into a step
        for (RunEvent event : events.getOrDefault(part, List.of())) {
            String step = event.step();
            if (event.kind() == Kind.REWOUND && step != null) {
                forgetFrom(entered, step);
            }
            boolean isEntry = step != null && event.state() != null;
            if (current != null && (isEntry || isEnd(event.kind()))) {
                entered.computeIfPresent(current, (name, entry) -> new Visit(entry.times(), entry.at(), event.at()));
            }
            if (step != null && isEntry) {
                // A start by name, a rewind, a retry and a stop name a step; the worker that continues enters it again.
                boolean isBegun = before != null
                        && before.kind() != Kind.ENTERED
                        && event.kind() == Kind.ENTERED
                        && step.equals(before.step());
                entered.merge(
                        step, new Visit(1, event.at(), null), (old, fresh) -> isBegun ? old : old.again(event.at()));
                current = step;
                before = event;
            }
        }
        return entered;
    }

    private static boolean isEnd(Kind kind) {
        return kind == Kind.SUCCEEDED || kind == Kind.FAILED || kind == Kind.CANCELLED;
    }

    private static void forgetFrom(Map<String, Visit> entered, String step) {
        List<String> names = List.copyOf(entered.keySet());
        int from = names.indexOf(step);
        if (from >= 0) {
            names.subList(from, names.size()).forEach(entered::remove);
        }
    }

    /** Which children each step has made: those that began after it was entered and before the next one was. */
    private Map<String, List<RunStatus>> byStep(RunId parent) {
        Map<String, List<RunStatus>> byStep = new HashMap<>();
        for (RunStatus child : children.getOrDefault(parent, List.of())) {
            String step = "";
            for (RunEvent event : events.getOrDefault(parent, List.of())) {
                if (event.step() != null
                        && event.state() != null
                        && !event.at().isAfter(child.life().startedAt())) {
                    step = event.step();
                }
            }
            byStep.computeIfAbsent(step, name -> new ArrayList<>()).add(child);
        }
        return byStep;
    }

    private List<Knot> parts(List<RunStatus> all) {
        // Failures are what people look for.
        List<RunStatus> shown = all.stream()
                .sorted(Comparator.comparing((RunStatus part) -> part.state() == RunState.SUCCEEDED)
                        .thenComparing(RunStatus::id))
                .limit(childrenMax)
                .sorted(Comparator.comparing(RunStatus::id))
                .toList();
        List<Knot> knots = new ArrayList<>();
        shown.forEach(part -> knots.add(brief(of(part))));
        if (shown.size() < all.size()) {
            Map<String, Long> others = all.stream()
                    .filter(part -> !shown.contains(part))
                    .collect(Collectors.groupingBy(
                            part -> isTold(part) ? standing(part) : RunRows.word(part),
                            TreeMap::new,
                            Collectors.counting()));
            String counts = others.entrySet().stream()
                    .map(entry -> "%,d %s".formatted(entry.getValue(), entry.getKey()))
                    .collect(Collectors.joining(", "));
            knots.add(new Knot("%,d more".formatted(all.size() - shown.size()), Look.MORE, counts, List.of()));
        }
        return knots;
    }

    /** Times and workers differ from item to item, so parts that wait for these are counted by a word. */
    private static boolean isTold(RunStatus part) {
        Work work = part.position().work();
        return work == null || (work.due() == null && work.stand() != Stand.WORKER_LOST);
    }

    /** An item with a single step is one line. */
    private static Knot brief(Knot part) {
        boolean isSingle =
                part.below().size() == 1 && part.below().getFirst().below().isEmpty();
        return isSingle ? new Knot(part.name(), part.look(), part.note(), List.of()) : part;
    }

    private Map<String, String> kinds(RunStatus run) {
        Map<String, String> kinds = new HashMap<>();
        shape(run).forEach(entry -> kinds.put(entry.name(), entry.kind()));
        return kinds;
    }

    /** The steps of a run itself. Those of a branch or item are shown once they are entered. */
    private List<String> toCome(RunStatus run) {
        return RunRows.isRun(run)
                ? shape(run).stream()
                        .filter(entry -> entry.isTop() && !entry.isForTheWorst())
                        .map(Entry::name)
                        .toList()
                : List.of();
    }

    private List<Entry> shape(RunStatus run) {
        WorkflowDefinition definition = definitions.get(
                "%s@%d".formatted(run.origin().workflow(), run.origin().version()));
        return definition == null
                ? List.of()
                : definition.steps().stream().map(Entry::parse).toList();
    }

    /** An entry of a workflow's shape. */
    private record Entry(String kind, String name, boolean isTop) {
        /** A kind may name a child: {@code run of specialist@1 ask}. */
        private static final Pattern LINE = Pattern.compile("( *)((?:run|spawn) of [^@]*@\\d+|\\S+) (.*)");

        static Entry parse(String line) {
            Matcher matcher = LINE.matcher(line);
            return matcher.matches()
                    ? new Entry(
                            matcher.group(2), matcher.group(3), matcher.group(1).isEmpty())
                    : new Entry("then", line.strip(), false);
        }

        boolean isForTheWorst() {
            return kind.equals("onFailure") || kind.equals("onCancel");
        }
    }
}
