package dev.headgate.internal.resource;

import dev.headgate.resource.Reading;
import java.util.function.LongUnaryOperator;

/**
 * One worker's part in a stock, which it may have with others: less its own margin, and no more than it was told to use.
 * Pure; not thread-safe.
 */
public final class StockShare {
    private final Stock stock;
    private final LongUnaryOperator margin;
    private final long cap;
    private long promised;

    /** All of a stock. */
    public StockShare(Stock stock) {
        this(stock, all -> 0, Long.MAX_VALUE);
    }

    /**
     * Takes from this stock.
     *
     * @param margin how much of so much is kept free
     * @param cap what the jobs of this worker get at most
     */
    public StockShare(Stock stock, LongUnaryOperator margin, long cap) {
        this.stock = stock;
        this.margin = margin;
        this.cap = cap;
    }

    Stock stock() {
        return stock;
    }

    void reserve(long amount) {
        stock.reserve(amount);
        promised += amount;
    }

    void release(long amount) {
        stock.release(amount);
        promised -= amount;
    }

    /** A job that goes on is promised so much less. */
    void shrink(long amount) {
        stock.shrink(amount);
        promised -= amount;
    }

    /** What may be promised now; negative if more is in use than there should be. */
    long free() {
        return Math.min(stock.free() - kept(), cap - promised);
    }

    /** Whether this much is not left, and others have some of what is missing. */
    boolean isTakenByOthers(long amount) {
        return stock.promised() > promised && amount > whole() - stock.promised();
    }

    /** What could be promised if no job were at work. */
    long whole() {
        return Math.min(stock.whole() - kept(), cap);
    }

    private long kept() {
        return margin.applyAsLong(stock.ceiling());
    }

    /** What could ever be promised, at best; {@link Reading#NOT_KNOWN} if that cannot be told. */
    long most() {
        long most = stock.most();
        return Math.min(most == Reading.NOT_KNOWN ? most : most - margin.applyAsLong(most), cap);
    }

    /** What was promised to the jobs of this worker. */
    long promised() {
        return promised;
    }
}
