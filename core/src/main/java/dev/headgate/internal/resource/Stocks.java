package dev.headgate.internal.resource;

import dev.headgate.internal.resource.Demands.Demand;
import dev.headgate.resource.Capacity;
import dev.headgate.resource.Headroom;
import dev.headgate.resource.Needs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All resources of one worker; memory and processor, which belong to its process, come first. Thread-safe; sources are
 * asked by one thread at a time.
 */
final class Stocks {
    private static final Logger log = LoggerFactory.getLogger(Stocks.class);

    private final List<String> names;
    private final List<ResourceSource> sources;
    private final ProcessResources process;
    private final List<StockShare> shares = new ArrayList<>();
    private final Set<String> broken = new HashSet<>();

    /** All resources at one moment; each array has the order of the names. */
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

    Stocks(Headroom headroom, ProcessResources process, Path root) {
        this.process = process;
        Map<String, ResourceSource> all = sources(headroom, process.heap(), new Container(root));
        this.names = List.copyOf(all.keySet());
        this.sources = List.copyOf(all.values());
        for (String name : names) {
            shares.add(
                    switch (name) {
                        case Needs.MEMORY -> memoryShare(headroom, process.memory);
                        case Needs.CPU -> new StockShare(process.cpu);
                        default -> new StockShare(new Stock());
                    });
        }
    }

    /** Knows only what is free; the most that was ever free is taken for all there is. */
    private static final class Gauge implements ResourceSource {
        private final LongSupplier free;
        private long most;

        private Gauge(LongSupplier free) {
            this.free = free;
        }

        @Override
        public Reading read() {
            long now = free.getAsLong();
            most = Math.max(most, now);
            return new Reading(Reading.NOT_KNOWN, most, most - now, false);
        }
    }

    /** Fresh sources, memory and processor first. */
    private static Map<String, ResourceSource> sources(Headroom headroom, Heap heap, Container container) {
        Map<String, ResourceSource> sources = new LinkedHashMap<>();
        sources.put(Needs.MEMORY, new MemorySource(heap, container));
        sources.put(Needs.CPU, () -> Reading.exact(cpuMillis(container), 0));
        headroom.amounts().forEach((resource, total) -> sources.put(resource, () -> Reading.exact(total, 0)));
        headroom.gauges().forEach((resource, free) -> sources.put(resource, new Gauge(free)));
        return sources;
    }

    private static long cpuMillis(Container container) {
        long all = Runtime.getRuntime().availableProcessors() * 1000L;
        Long quota = container.cpuMillis();
        return quota == null ? all : Math.min(all, quota);
    }

    private static StockShare memoryShare(Headroom headroom, Stock stock) {
        Long kept = headroom.margin();
        Long cap = headroom.memory();
        return new StockShare(stock, kept == null ? all -> all / 8 : all -> kept, cap == null ? Long.MAX_VALUE : cap);
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
        synchronized (process) {
            for (int i = 0; i < readings.size(); i++) {
                Reading reading = readings.get(i);
                Stock stock = shares.get(i).stock();
                if (reading == null) {
                    stock.lose();
                } else {
                    stock.see(reading);
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

    Levels levels() {
        Levels levels = new Levels(names.size());
        synchronized (process) {
            for (int i = 0; i < names.size(); i++) {
                StockShare share = shares.get(i);
                levels.free[i] = share.free();
                levels.whole[i] = share.whole();
                levels.promised[i] = share.promised();
            }
        }
        return levels;
    }

    Capacity capacity() {
        Map<String, Capacity.Level> levels = new TreeMap<>();
        Map<String, Long> most = new TreeMap<>();
        synchronized (process) {
            for (int i = 0; i < names.size(); i++) {
                StockShare share = shares.get(i);
                levels.put(names.get(i), new Capacity.Level(Math.max(0, share.whole()), Math.max(0, share.free())));
                if (share.most() != share.whole()) {
                    most.put(names.get(i), share.most());
                }
            }
        }
        return new Capacity(levels, most);
    }

    /** Whether a job of any worker of this process holds memory. */
    boolean isMemoryHeld() {
        synchronized (process) {
            return process.memory.jobs() > 0;
        }
    }

    /**
     * Takes what a job needs; {@link Reserved#release} gives it back once. Absent if another worker of this process has
     * taken it since the claim.
     */
    @Nullable
    Reserved reserve(Demand demand) {
        long[] amounts = new long[names.size()];
        synchronized (process) {
            for (int i = 0; i < amounts.length; i++) {
                StockShare share = shares.get(i);
                amounts[i] = demand.amount(i, share.whole());
                if (amounts[i] > 0 && share.isTakenByOthers(amounts[i])) {
                    return null;
                }
            }
            for (int i = 0; i < amounts.length; i++) {
                if (amounts[i] > 0) {
                    shares.get(i).reserve(amounts[i]);
                }
            }
        }
        return new Reserved(this, amounts);
    }

    /** What is reserved for one job. */
    static final class Reserved {
        private final Stocks from;
        private long @Nullable [] amounts;

        private Reserved(Stocks from, long[] amounts) {
            this.from = from;
            this.amounts = amounts;
        }

        /** Keeps no more memory than this. */
        void shrinkMemory(long most) {
            synchronized (from.process) {
                if (amounts != null && amounts[0] > most) {
                    from.shares.getFirst().shrink(amounts[0] - most);
                    amounts[0] = most;
                }
            }
        }

        /** Gives it back; a second call does nothing. */
        void release() {
            synchronized (from.process) {
                for (int i = 0; amounts != null && i < amounts.length; i++) {
                    if (amounts[i] > 0) {
                        from.shares.get(i).release(amounts[i]);
                    }
                }
                amounts = null;
            }
        }
    }
}
