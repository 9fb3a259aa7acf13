package dev.headgate.internal.workflow;

import dev.headgate.internal.run.BudgetLedger;
import dev.headgate.internal.run.FrameView.Phase;
import dev.headgate.job.JobSpec.FrameRef;
import dev.headgate.run.RunState;
import dev.headgate.spi.FrameRow;
import dev.headgate.spi.FrameRow.Guard;
import dev.headgate.spi.FrameRow.Life;
import dev.headgate.spi.FrameRow.Position;
import dev.headgate.spi.FrameRow.Waits;
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
        this.ledger = before.guard().budget() == null
                ? null
                : BudgetLedger.parse(before.guard().budget());
        this.state = before.position().state();
        this.phase = before.position().phase();
        this.step = before.position().step();
        this.revision = before.position().revision();
        this.events = before.position().events();
        this.entered = before.position().entered();
        this.awaits = before.waits().awaits();
        this.dueAt = before.waits().dueAt();
        this.children = before.waits().children() == null
                ? null
                : ForkCount.parse(before.waits().children());
        this.endedAt = before.life().endedAt();
        this.result = before.life().result();
        this.detail = before.life().detail();
        this.halt = before.guard().halt();
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
        return before.tree().root();
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
        return phase == before.position().phase()
                && halt == before.guard().halt()
                && life().equals(before.life())
                && waits().equals(before.waits())
                && children == null;
    }

    FrameRow row() {
        return new FrameRow(
                before.id(),
                before.tree(),
                before.program(),
                new Position(state, phase, step, revision, events, entered),
                waits(),
                life(),
                new Guard(ledger == null ? null : ledger.text(), halt));
    }

    private Waits waits() {
        return new Waits(awaits, dueAt, children == null ? null : children.text());
    }

    private Life life() {
        return new Life(before.life().startedAt(), endedAt, result, detail);
    }
}
