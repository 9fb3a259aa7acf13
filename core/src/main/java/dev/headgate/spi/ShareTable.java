package dev.headgate.spi;

import dev.headgate.limit.GateKey;
import dev.headgate.spi.ShareRow.OrderKey;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How much of the fair queues and gates each share has had. Rows are read and written under the lock of their queue or gate
 * only, so they need none of their own; a share that is idle and no longer ahead has no row.
 */
public interface ShareTable {
    /** The standing shares of each of these that come first: least tag, then oldest. */
    List<ShareRow> first(Collection<GateKey> resources, int perResource);

    /** Of the shares of this queue or gate that do not stand, the one with the greatest tag. */
    @Nullable
    ShareRow last(GateKey resource);

    /** Where a newcomer finds the others: the standing shares that come first, or if none stands, the last of the rest. */
    default List<ShareRow> edges(GateKey resource, int max) {
        List<ShareRow> first = first(List.of(resource), max);
        ShareRow last = first.isEmpty() ? last(resource) : null;
        return last == null ? first : List.of(last);
    }

    List<ShareRow> find(Collection<OrderKey> shares);

    void save(List<ShareRow> rows);

    /** Deletes shares of this queue or gate that do not stand, run nothing and are not ahead of its virtual time. */
    void prune(GateKey resource, long virtual);

    /** Lowers all tags of this queue or gate. */
    void rebase(GateKey resource, long by);

    /** The queues and gates of which any share is known. */
    List<GateKey> resources();

    /** Of the shares of this queue or gate that do not stand and run nothing, keeps so many that have had most; answers how many went. */
    int trim(GateKey resource, int kept);

    /** Forgets all shares of this queue or gate. */
    void clear(GateKey resource);

    /** How many shares stand before this tag, counted up to {@code max}. */
    int countBefore(GateKey resource, long finish, int max);
}
