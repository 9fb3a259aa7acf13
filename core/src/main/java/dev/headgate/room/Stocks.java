package dev.headgate.room;

import dev.headgate.room.Demands.Demand;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All resources of one worker, memory first. Thread-safe; sources are asked by one thread at a time. */
final class Stocks {
    private static final Logger log = LoggerFactory.getLogger(Stocks.class);

    private final List<String> names;
    private final List<Source> sources;
    private final List<Stock> stocks = new ArrayList<>();
    private final Set<String> broken = new HashSet<>();
    private int jobs;

    /** How all resources stand at one moment; each array goes by the order of the names. */
    static final class Levels {
        final long[] free;
        final long[] whole;
        final long[] promised;

        private Levels(int size) {
            free = new long[size];
            whole = new long[size];
            promised = new long[size];
        }
    }

    Stocks(Headroom headroom, Path root) {
        Map<String, Source> all = headroom.sources(root);
        this.names = List.copyOf(all.keySet());
        this.sources = List.copyOf(all.values());
        names.forEach(name -> stocks.add(new Stock()));
    }

    List<String> names() {
        return names;
    }

    /** Asks all sources anew. */
    void look() {
        List<@Nullable Reading> readings = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            readings.add(read(i));
        }
        synchronized (this) {
            for (int i = 0; i < readings.size(); i++) {
                Reading reading = readings.get(i);
                if (reading == null) {
                    stocks.get(i).lose();
                } else {
                    stocks.get(i).see(reading);
                }
            }
        }
    }

    private @Nullable Reading read(int resource) {
        String name = names.get(resource);
        try {
            Reading reading = sources.get(resource).read();
            if (broken.remove(name)) {
                log.info("resource '{}': its gauge answers again", name);
            }
            return reading;
        } catch (RuntimeException unknown) {
            if (broken.add(name)) {
                log.warn(
                        "resource '{}': its gauge failed; jobs that need it do not start here until it answers",
                        name,
                        unknown);
            }
            return null;
        }
    }

    synchronized Levels levels() {
        Levels levels = new Levels(names.size());
        for (int i = 0; i < names.size(); i++) {
            Stock stock = stocks.get(i);
            levels.free[i] = stock.free();
            levels.whole[i] = stock.whole();
            levels.promised[i] = stock.promised();
        }
        return levels;
    }

    synchronized Capacity capacity() {
        Map<String, Capacity.Level> levels = new TreeMap<>();
        Map<String, Long> most = new TreeMap<>();
        for (int i = 0; i < names.size(); i++) {
            Stock stock = stocks.get(i);
            levels.put(names.get(i), new Capacity.Level(Math.max(0, stock.whole()), Math.max(0, stock.free())));
            if (stock.most() != stock.whole()) {
                most.put(names.get(i), stock.most());
            }
        }
        return new Capacity(levels, most);
    }

    /** What is live of the heap, if a look has found that out anew since this was last asked; else absent. */
    synchronized @Nullable Long takeRenewedLive() {
        return stocks.getFirst().takeRenewed();
    }

    /** How many jobs hold something. */
    synchronized int jobs() {
        return jobs;
    }

    /** Takes what a job needs; whoever calls gives it back once, by {@link Held#release}. */
    synchronized Held reserve(Demand demand) {
        long[] amounts = new long[names.size()];
        for (int i = 0; i < amounts.length; i++) {
            Stock stock = stocks.get(i);
            amounts[i] = demand.amount(i, stock.whole());
            if (amounts[i] > 0) {
                stock.reserve(amounts[i]);
            }
        }
        jobs++;
        return new Held(this, amounts);
    }

    private synchronized void release(long[] amounts) {
        for (int i = 0; i < amounts.length; i++) {
            if (amounts[i] > 0) {
                stocks.get(i).release(amounts[i]);
            }
        }
        jobs--;
    }

    /** What one job was promised. */
    static final class Held {
        private final Stocks from;
        private long @Nullable [] amounts;

        private Held(Stocks from, long[] amounts) {
            this.from = from;
            this.amounts = amounts;
        }

        /** Gives it back; a second time does nothing. */
        void release() {
            long[] back;
            synchronized (from) {
                back = amounts;
                amounts = null;
            }
            if (back != null) {
                from.release(back);
            }
        }
    }
}
