package dev.headgate.internal.lease;

import dev.headgate.spi.JobRow;
import dev.headgate.spi.Pending;
import java.util.List;

/**
 * A turn that has decided and not yet committed.
 *
 * @param started the leases granted now. They come with the commit, if nothing reads them before: one trip less for the
 *     start of an idle worker
 * @param turn all the rest
 */
public record OpenTurn(Pending<List<JobRow>> started, Turn turn) {
    public OpenTurn waking(Turn.Next sooner) {
        return new OpenTurn(started, turn.waking(sooner));
    }

    /** To be called after the commit. */
    public Turn committed() {
        return turn.starting(started.get());
    }
}
