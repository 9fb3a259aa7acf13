package dev.headgate.spi;

import org.jspecify.annotations.Nullable;

/** Permits that programs elsewhere asked for. Each is changed only while the gates that it is of are locked. */
public interface PermitTable {
    /** The permit that this request was given. */
    @Nullable
    PermitRow findRequested(String request);

    @Nullable
    PermitRow find(long id);

    /** Returns false, and writes nothing, if this request was given one already. */
    boolean insert(PermitRow row);

    /** Replaces end and state. */
    void save(PermitRow row);

    /** Deletes permits that ended before this instant, at most {@code limit}; returns how many. */
    int prune(long before, int limit);
}
