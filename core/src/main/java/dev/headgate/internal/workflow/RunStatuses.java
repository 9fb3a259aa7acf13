package dev.headgate.internal.workflow;

import dev.headgate.internal.run.BudgetLedger;
import dev.headgate.internal.time.Micros;
import dev.headgate.run.BudgetLine;
import dev.headgate.run.Guardrail;
import dev.headgate.run.RunEvent;
import dev.headgate.run.RunId;
import dev.headgate.run.RunState;
import dev.headgate.run.RunStatus;
import dev.headgate.run.RunStatus.Children;
import dev.headgate.run.RunStatus.Life;
import dev.headgate.run.RunStatus.Origin;
import dev.headgate.run.RunStatus.Position;
import dev.headgate.run.RunStatus.Work;
import dev.headgate.spi.EventRow;
import dev.headgate.spi.FrameRow;
import dev.headgate.spi.FrameRow.Program;
import dev.headgate.spi.FrameTable.EventSpan;
import dev.headgate.spi.StoreTransaction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads runs as people want to see them. */
final class RunStatuses {
    private static final int PAGE = 1_000;
    private static final int EVENTS_PAGE = 2_000;

    private RunStatuses() {}

    static @Nullable RunStatus find(StoreTransaction tx, long id) {
        List<RunStatus> found = of(tx, tx.frames().find(List.of(id)));
        return found.isEmpty() ? null : found.getFirst();
    }

    static List<RunStatus> of(StoreTransaction tx, List<FrameRow> rows) {
        if (rows.isEmpty()) {
            return List.of();
        }
        Map<Long, Long> numbers = new HashMap<>();
        Set<Long> missing = new HashSet<>();
        Map<Long, FrameRow> roots = new HashMap<>();
        for (FrameRow row : rows) {
            if (row.life().result() == null) {
                numbers.put(row.id(), row.position().entered());
            }
            if (row.id() == row.tree().root()) {
                roots.put(row.id(), row);
            } else {
                missing.add(row.tree().root());
            }
        }
        missing.removeAll(roots.keySet());
        if (!missing.isEmpty()) {
            tx.frames().find(missing).forEach(row -> roots.put(row.id(), row));
        }
        long now = tx.now();
        Map<Long, String> states = new HashMap<>();
        tx.frames().events(numbers).forEach(event -> {
            if (event.state() != null) {
                states.put(event.frame(), event.state());
            }
        });
        Map<Long, Work> work = StepWork.of(tx, rows);
        return rows.stream()
                .map(row -> status(row, roots.get(row.tree().root()), states.get(row.id()), work.get(row.id()), now))
                .toList();
    }

    private static RunStatus status(
            FrameRow row, @Nullable FrameRow root, @Nullable String state, @Nullable Work work, long now) {
        RunState halt = root == null ? null : root.guard().halt();
        ForkCount fork = row.waits().children() == null
                ? null
                : ForkCount.parse(row.waits().children());
        Long parent = row.tree().parent();
        Long dueAt = row.waits().dueAt();
        Long endedAt = row.life().endedAt();
        Program program = row.program();
        RunState shown = row.shown(halt);
        BudgetLedger ledger = root == null || root.guard().budget() == null
                ? null
                : BudgetLedger.parse(root.guard().budget());
        return new RunStatus(
                RunId.of(row.id()),
                shown,
                new Origin(
                        program.workflow(),
                        program.version(),
                        program.name(),
                        row.tree().place(),
                        program.key(),
                        parent == null ? null : RunId.of(parent),
                        program.attributes()),
                new Position(
                        row.position().step(),
                        row.life().result() == null ? state : row.life().result(),
                        dueAt == null ? null : Micros.instant(dueAt),
                        row.waits().awaits(),
                        fork == null
                                ? null
                                : new Children(fork.total(), fork.created(), fork.succeeded(), fork.failed()),
                        isShown(work, shown) ? work : null),
                new Life(
                        Micros.instant(row.life().startedAt()),
                        endedAt == null ? null : Micros.instant(endedAt),
                        row.life().detail(),
                        ledger == null || shown != RunState.BUDGET_EXCEEDED ? Set.of() : ledger.stoppedBy()),
                root == null || ledger == null ? List.of() : budget(root, ledger, now));
    }

    /** What would run but for a stop is no news; what still runs is. */
    private static boolean isShown(@Nullable Work work, RunState shown) {
        boolean isStopped = shown == RunState.PAUSED || shown == RunState.BUDGET_EXCEEDED;
        return work != null && (!isStopped || work.isRunning());
    }

    /** How the jobs of a frame and of all below it stand, counted. */
    static List<Work> work(StoreTransaction tx, long id) {
        List<FrameRow> found = tx.frames().find(List.of(id));
        if (found.isEmpty() || found.getFirst().tree().root() == id) {
            return found.isEmpty() ? List.of() : StepWork.below(tx, id);
        }
        return StepWork.counted(List.copyOf(StepWork.of(tx, below(tx, id)).values()));
    }

    /** Wall time is never charged: it passes by itself. */
    private static List<BudgetLine> budget(FrameRow root, BudgetLedger ledger, long now) {
        long past = Math.max(
                0,
                (root.life().endedAt() == null ? now : root.life().endedAt())
                        - root.life().startedAt());
        return ledger.lines().stream()
                .map(line -> line.guardrail() == Guardrail.WALL_TIME
                        ? new BudgetLine(line.guardrail(), line.limit(), past, line.reserved())
                        : line)
                .toList();
    }

    /** A frame and all below it, by id. */
    static List<FrameRow> below(StoreTransaction tx, long id) {
        List<FrameRow> found = tx.frames().find(List.of(id));
        if (found.isEmpty()) {
            return List.of();
        }
        Set<Long> inside = new HashSet<>(Set.of(id));
        List<FrameRow> below = new ArrayList<>(found);
        long after = 0;
        List<FrameRow> page;
        do {
            page = tx.frames().tree(found.getFirst().tree().root(), after, PAGE);
            for (FrameRow row : page) {
                after = row.id();
                if (row.tree().parent() != null && inside.contains(row.tree().parent())) {
                    inside.add(row.id());
                    below.add(row);
                }
            }
        } while (page.size() == PAGE);
        return below;
    }

    /** What has happened to these frames, in order. Read in pages of events, however many frames there are. */
    static List<RunEvent> timeline(StoreTransaction tx, List<FrameRow> frames) {
        List<RunEvent> events = new ArrayList<>();
        List<EventSpan> page = new ArrayList<>();
        long room = EVENTS_PAGE;
        for (FrameRow frame : frames) {
            // A frame numbers its events from 1 on, without gaps.
            for (long after = 0; after < frame.position().events(); ) {
                long until = Math.min(frame.position().events(), after + room);
                page.add(new EventSpan(frame.id(), after, until));
                room -= until - after;
                after = until;
                if (room == 0) {
                    tx.frames().events(page).forEach(row -> events.add(event(row)));
                    page.clear();
                    room = EVENTS_PAGE;
                }
            }
        }
        tx.frames().events(page).forEach(row -> events.add(event(row)));
        events.sort(
                Comparator.comparing(RunEvent::at).thenComparing(RunEvent::part).thenComparingLong(RunEvent::number));
        return events;
    }

    /** What the runs among these frames have kept, by run and name. */
    static Map<RunId, SortedMap<String, String>> artifacts(StoreTransaction tx, List<FrameRow> frames) {
        List<Long> runs = frames.stream()
                .filter(frame -> frame.id() == frame.tree().run())
                .map(FrameRow::id)
                .toList();
        Map<RunId, SortedMap<String, String>> artifacts = new HashMap<>();
        for (int from = 0; from < runs.size(); from += PAGE) {
            List<Long> page = runs.subList(from, Math.min(runs.size(), from + PAGE));
            tx.frames()
                    .artifacts(page)
                    .forEach(row -> artifacts
                            .computeIfAbsent(RunId.of(row.run()), run -> new TreeMap<>())
                            .put(row.artifact().name(), row.artifact().content()));
        }
        return artifacts;
    }

    private static RunEvent event(EventRow row) {
        return new RunEvent(
                RunId.of(row.frame()),
                row.number(),
                Micros.instant(row.at()),
                row.kind(),
                row.step(),
                row.detail(),
                row.state());
    }
}
