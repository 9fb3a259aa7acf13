package dev.headgate.resource;

import dev.headgate.internal.resource.Container;
import dev.headgate.internal.resource.Heap;
import dev.headgate.internal.resource.MemorySource;
import dev.headgate.internal.resource.ResourceSource;
import dev.headgate.internal.resource.Stock;
import dev.headgate.internal.resource.StockShare;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The memory and other resources that a worker gives to its jobs: {@code Headroom.system().amount("licence", 3).gauge("gpu-memory", gpu::freeBytes)}. Jobs
 * whose {@link Needs} do not fit are not claimed and stay free for other workers. Immutable.
 */
public final class Headroom {
    private static final Headroom SYSTEM = new Headroom(null, null, null, Map.of());
    private static final Headroom IGNORED = new Headroom(0L, 0L, Needs.NONE, Map.of());

    private final @Nullable Long memory;
    private final @Nullable Long margin;
    private final @Nullable Needs unknown;
    private final Map<String, Supply> own;

    /** A resource that the user has named. */
    private interface Supply {
        ResourceSource source();
    }

    private Headroom(@Nullable Long memory, @Nullable Long margin, @Nullable Needs unknown, Map<String, Supply> own) {
        this.memory = memory;
        this.margin = margin;
        this.unknown = unknown;
        this.own = own;
    }

    /**
     * The heap, as far as the container lets it grow, and the cores that the container allows. The container is asked by
     * its control group (version 2, then 1), then the machine by {@code /proc/meminfo}; where none of them tells, the heap
     * decides alone.
     */
    public static Headroom system() {
        return SYSTEM;
    }

    /** Needs and run times do not matter to this worker: whatever its gates let pass starts. */
    public static Headroom ignored() {
        return IGNORED;
    }

    /** Whether this is {@link #ignored}. */
    public boolean isIgnored() {
        return this == IGNORED;
    }

    /** Jobs get no more memory than this, however much there is. */
    public Headroom memory(long bytes) {
        return new Headroom(positive(Needs.MEMORY, bytes), margin, unknown, own);
    }

    /** So much memory is kept free for everything that is not a job. Default: an eighth of what there is. */
    public Headroom margin(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("margin: expected zero or more bytes, got %d".formatted(bytes));
        }
        return new Headroom(memory, bytes, unknown, own);
    }

    /**
     * What a job is taken to need whose type declares nothing and has shown nothing yet. Default: a third of the memory, so
     * that no more than three such jobs run at once; {@link Needs#NONE} lets all of them start.
     */
    public Headroom unknown(Needs needs) {
        return new Headroom(memory, margin, needs, own);
    }

    /** A resource of which this worker has a fixed amount, less what its jobs hold: licences, scanners, desks. */
    public Headroom amount(String resource, long total) {
        long all = positive(resource, total);
        return with(resource, () -> () -> Reading.exact(all, 0));
    }

    /**
     * A resource that can be asked how much of it is free, counting what this worker's jobs use of it. Asked up to four
     * times a second, on the thread that claims, so it must return at once. One that throws counts as no room, and is
     * reported.
     */
    public Headroom gauge(String resource, LongSupplier free) {
        return with(resource, () -> new Gauge(free));
    }

    private Headroom with(String resource, Supply supply) {
        Needs.checkName(resource);
        if (resource.equals(Needs.MEMORY) || resource.equals(Needs.CPU) || own.containsKey(resource)) {
            throw new IllegalArgumentException(
                    "resource '%s': expected a name that is not taken; give it another".formatted(resource));
        }
        Map<String, Supply> more = new LinkedHashMap<>(own);
        more.put(resource, supply);
        return new Headroom(memory, margin, unknown, more);
    }

    private static long positive(String resource, long amount) {
        if (amount <= 0) {
            throw new IllegalArgumentException("%s: expected a positive amount, got %d".formatted(resource, amount));
        }
        return amount;
    }

    /** What a job of an unknown type is taken to need; null means a third of the memory. */
    @Nullable
    public Needs unknown() {
        return unknown;
    }

    /** What a worker with this room has of the memory of its process. */
    public StockShare memoryShare(Stock stock) {
        Long kept = margin;
        return new StockShare(
                stock, kept == null ? all -> all / 8 : all -> kept, memory == null ? Long.MAX_VALUE : memory);
    }

    /** Fresh sources, memory and processor first. */
    public Map<String, ResourceSource> sources(Heap heap, Path root) {
        Container container = new Container(root);
        Map<String, ResourceSource> sources = new LinkedHashMap<>();
        sources.put(Needs.MEMORY, new MemorySource(heap, container));
        sources.put(Needs.CPU, () -> Reading.exact(cpuMillis(container), 0));
        own.forEach((resource, supply) -> sources.put(resource, supply.source()));
        return sources;
    }

    private static long cpuMillis(Container container) {
        long all = Runtime.getRuntime().availableProcessors() * 1000L;
        Long quota = container.cpuMillis();
        return quota == null ? all : Math.min(all, quota);
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
}
