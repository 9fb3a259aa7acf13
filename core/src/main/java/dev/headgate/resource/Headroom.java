package dev.headgate.resource;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The memory and other resources that a worker gives to its jobs: {@code Headroom.system().amount("licence", 3).gauge("gpu-memory", gpu::freeBytes)}. Jobs
 * whose {@link Needs} do not fit are not claimed and stay free for other workers. Immutable.
 */
public final class Headroom {
    private static final Headroom SYSTEM = new Headroom(null, null, null, Map.of(), Map.of());
    private static final Headroom IGNORED = new Headroom(0L, 0L, Needs.NONE, Map.of(), Map.of());

    private final @Nullable Long memory;
    private final @Nullable Long margin;
    private final @Nullable Needs unknown;
    private final Map<String, Long> amounts;
    private final Map<String, LongSupplier> gauges;

    private Headroom(
            @Nullable Long memory,
            @Nullable Long margin,
            @Nullable Needs unknown,
            Map<String, Long> amounts,
            Map<String, LongSupplier> gauges) {
        this.memory = memory;
        this.margin = margin;
        this.unknown = unknown;
        this.amounts = amounts;
        this.gauges = gauges;
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
        return new Headroom(positive(Needs.MEMORY, bytes), margin, unknown, amounts, gauges);
    }

    /** So much memory is kept free for everything that is not a job. Default: an eighth of what there is. */
    public Headroom margin(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("margin: expected zero or more bytes, got %d".formatted(bytes));
        }
        return new Headroom(memory, bytes, unknown, amounts, gauges);
    }

    /**
     * What a job is taken to need whose type declares nothing and has shown nothing yet. Default: a third of the memory, so
     * that no more than three such jobs run at once; {@link Needs#NONE} lets all of them start.
     */
    public Headroom unknown(Needs needs) {
        return new Headroom(memory, margin, needs, amounts, gauges);
    }

    /** A resource of which this worker has a fixed amount, less what its jobs hold: licences, scanners, desks. */
    public Headroom amount(String resource, long total) {
        return new Headroom(memory, margin, unknown, with(amounts, resource, positive(resource, total)), gauges);
    }

    /**
     * A resource that can be asked how much of it is free, counting what this worker's jobs use of it. Asked up to four
     * times a second, on the thread that claims, so it must return at once. One that throws counts as no room, and is
     * reported.
     */
    public Headroom gauge(String resource, LongSupplier free) {
        return new Headroom(memory, margin, unknown, amounts, with(gauges, resource, free));
    }

    private <T> Map<String, T> with(Map<String, T> known, String resource, T supply) {
        Needs.checkName(resource);
        boolean isTaken = amounts.containsKey(resource) || gauges.containsKey(resource);
        if (resource.equals(Needs.MEMORY) || resource.equals(Needs.CPU) || isTaken) {
            throw new IllegalArgumentException(
                    "resource '%s': expected a name that is not taken; give it another".formatted(resource));
        }
        Map<String, T> more = new LinkedHashMap<>(known);
        more.put(resource, supply);
        return Collections.unmodifiableMap(more);
    }

    private static long positive(String resource, long amount) {
        if (amount <= 0) {
            throw new IllegalArgumentException("%s: expected a positive amount, got %d".formatted(resource, amount));
        }
        return amount;
    }

    /** The most that its jobs get, in bytes; absent means all there is. */
    public @Nullable Long memory() {
        return memory;
    }

    /** The bytes that are kept free; absent means the default. */
    public @Nullable Long margin() {
        return margin;
    }

    /** What a job of an unknown type is taken to need; absent means the default. */
    public @Nullable Needs unknown() {
        return unknown;
    }

    /** The resources of {@link #amount}, by name. */
    public Map<String, Long> amounts() {
        return amounts;
    }

    /** What is free of the resources of {@link #gauge}, by name. */
    public Map<String, LongSupplier> gauges() {
        return gauges;
    }
}
