package dev.headgate.internal.resource;

import java.util.function.LongUnaryOperator;

/**
 * One worker's part in a stock that several workers may share: less its own margin, and no more than it was told to
 * use. No clock; not thread-safe.
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
     * @param margin how much of a total is kept free
     * @param cap the most that the jobs of this worker get
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

    /** Reserves this much less for a running job. */
    void shrink(long amount) {
        stock.shrink(amount);
        promised -= amount;
    }

    /** What may be reserved now; negative if more is in use than allowed. */
    long free() {
        return Math.min(stock.free() - kept(), cap - promised);
    }

    /** Whether this much is not left because other workers hold some of it. */
    boolean isTakenByOthers(long amount) {
        return stock.promised() > promised && amount > whole() - stock.promised();
    }

    /** What could be reserved if no job ran. */
    long whole() {
        return Math.min(stock.whole() - kept(), cap);
    }

    private long kept() {
        return margin.applyAsLong(stock.ceiling());
    }

    /** What could ever be reserved, at best; {@link Reading#NOT_KNOWN} if that is not known. */
    long most() {
        long most = stock.most();
        return Math.min(most == Reading.NOT_KNOWN ? most : most - margin.applyAsLong(most), cap);
    }

    /** What is reserved for the jobs of this worker. */
    long promised() {
        return promised;
    }
}
