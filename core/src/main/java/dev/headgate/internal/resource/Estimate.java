package dev.headgate.internal.resource;

import dev.headgate.resource.Needs;
import dev.headgate.resource.TypeFigures;
import org.jspecify.annotations.Nullable;

/**
 * What one run of a job type is expected to need.
 *
 * @param needs declared, or measured where nothing was declared
 * @param basis the source of the memory figure
 * @param micros how long it takes, declared or measured; absent if neither is known
 */
public record Estimate(Needs needs, Basis basis, @Nullable Long micros) {
    /** Less than this does not count. */
    private static final long MEASURED_MIN = 1 << 20;

    /** How many jobs of an unknown type may run at once: each is expected to need this part of the capacity. */
    public static final int GUESS_PART = 3;

    /** Where a figure of memory comes from. */
    public enum Basis {
        /** The handler, or the worker's settings, declare it. */
        SAID,
        /** Measured in runs. It may be too much, so such a job always fits a worker with nothing else at work. */
        MEASURED,
        /** Nothing is known: a part of the capacity is reserved until a run has ended. */
        GUESSED
    }

    /**
     * Of a type: what its handler declares comes first, what was measured fills the gaps.
     *
     * @param unknown what it needs if nothing is known; absent means a guess
     */
    public static Estimate of(
            Needs declared, @Nullable Long declaredMicros, @Nullable Profile profile, @Nullable Needs unknown) {
        Long micros = declaredMicros != null || profile == null ? declaredMicros : profile.micros();
        TypeFigures.Memory memory = profile == null ? null : profile.memory();
        if (memory != null && declared.of(Needs.MEMORY) == 0) {
            return memory.bytes() < MEASURED_MIN
                    ? new Estimate(declared, Basis.SAID, micros)
                    : new Estimate(declared.and(Needs.MEMORY, withReserve(memory)), Basis.MEASURED, micros);
        }
        if (!declared.isNothing()) {
            return new Estimate(declared, Basis.SAID, micros);
        }
        return unknown == null
                ? new Estimate(declared, Basis.GUESSED, micros)
                : new Estimate(unknown, Basis.SAID, micros);
    }

    /** The next run may take more than the most that was seen, and a large object needs its memory in one piece. */
    private static long withReserve(TypeFigures.Memory memory) {
        return memory.bytes() + (memory.runs() < Profile.SAMPLES_MIN ? memory.bytes() : memory.bytes() / 4);
    }

    /**
     * The same in a heap of regions. There each object of half a region or more has regions of its own, the last of
     * which stays partly empty, so what was measured in bytes may take up to twice as much.
     */
    Estimate inRegions() {
        return basis == Basis.MEASURED
                ? new Estimate(needs.and(Needs.MEMORY, needs.of(Needs.MEMORY)), basis, micros)
                : this;
    }

    public boolean isMemoryMeasured() {
        return basis == Basis.MEASURED;
    }

    /** The same of a type whose runs cannot be measured: a guess would never be replaced. */
    Estimate unmeasured() {
        return basis == Basis.GUESSED ? new Estimate(needs, Basis.SAID, micros) : this;
    }
}
