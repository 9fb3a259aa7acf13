package dev.headgate.internal.workflow;

import dev.headgate.internal.run.BudgetLedger;
import dev.headgate.internal.run.FrameView.Phase;
import dev.headgate.job.FrameRef;
import dev.headgate.run.RunState;
import dev.headgate.spi.FrameRow;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A frame while a transaction works on it: the columns that change, and whether any has. */
final class FrameEdit {
    private final FrameRow before;
    private final @Nullable BudgetLedger ledger;
    final boolean isNew;
    RunState state;
    Phase phase;

    @Nullable
    String step;

    long revision;
    long events;
    long entered;

    @Nullable
    String awaits;

    @Nullable
    Long dueAt;

    @Nullable
    ForkCount children;

    @Nullable
    Long endedAt;

    @Nullable
    String result;

    @Nullable
    String detail;

    @Nullable
    RunState halt;

    private FrameEdit(FrameRow before, boolean isNew) {
        this.before = before;
        this.isNew = isNew;
        this.ledger = before.budget() == null ? null : BudgetLedger.parse(before.budget());
        this.state = before.state();
        this.phase = before.phase();
        this.step = before.step();
        this.revision = before.revision();
        this.events = before.events();
        this.entered = before.entered();
        this.awaits = before.awaits();
        this.dueAt = before.dueAt();
        this.children = before.children() == null ? null : ForkCount.parse(before.children());
        this.endedAt = before.endedAt();
        this.result = before.result();
        this.detail = before.detail();
        this.halt = before.halt();
    }

    static FrameEdit of(FrameRow stored) {
        return new FrameEdit(stored, false);
    }

    static FrameEdit fresh(FrameRow row) {
        return new FrameEdit(row, true);
    }

    long id() {
        return before.id();
    }

    long root() {
        return before.root();
    }

    FrameRow before() {
        return before;
    }

    /** Only of a root. */
    BudgetLedger ledger() {
        if (ledger == null) {
            throw new IllegalStateException("frame %d: expected a root, which has a budget".formatted(id()));
        }
        return ledger;
    }

    FrameRef ref() {
        return new FrameRef(id(), revision);
    }

    /** Whether it has only gone from one step to another. */
    boolean isMovedOnly() {
        return phase == before.phase()
                && halt == before.halt()
                && Objects.equals(awaits, before.awaits())
                && Objects.equals(dueAt, before.dueAt())
                && Objects.equals(endedAt, before.endedAt())
                && Objects.equals(result, before.result())
                && Objects.equals(detail, before.detail())
                && children == null
                && before.children() == null;
    }

    FrameRow row() {
        return new FrameRow(
                before.id(),
                before.root(),
                before.run(),
                before.name(),
                before.parent(),
                before.fork(),
                before.place(),
                before.depth(),
                before.workflow(),
                before.version(),
                before.queue(),
                before.priority(),
                before.key(),
                state,
                phase,
                step,
                revision,
                events,
                entered,
                awaits,
                dueAt,
                children == null ? null : children.text(),
                before.startedAt(),
                endedAt,
                result,
                detail,
                ledger == null ? null : ledger.text(),
                halt);
    }
}
