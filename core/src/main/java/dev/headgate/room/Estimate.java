package dev.headgate.room;

import org.jspecify.annotations.Nullable;

/**
 * What one run of a job type is taken to need.
 *
 * @param needs declared, or measured where nothing was declared
 * @param isMemoryMeasured the memory was measured: that may be too much, so such a job always fits a worker with nothing
 *     else at work
 * @param micros how long it takes, declared or measured; absent if neither is known
 */
public record Estimate(
        Needs needs, boolean isMemoryMeasured, @Nullable Long micros) {
    /** Less than this is not worth counting. */
    private static final long MEASURED_MIN = 1 << 20;

    /** Of a type: what its handler declares comes first, what was measured fills the gaps. */
    public static Estimate of(Needs declared, @Nullable Long declaredMicros, @Nullable Profile profile, Needs unknown) {
        Long micros = declaredMicros != null || profile == null ? declaredMicros : profile.micros();
        Profile.Memory memory = profile == null ? null : profile.memory();
        boolean isDeclared = declared.of(Needs.MEMORY) > 0;
        if (memory != null && !isDeclared) {
            boolean isMuch = memory.bytes() >= MEASURED_MIN;
            return new Estimate(isMuch ? declared.and(Needs.MEMORY, memory.bytes()) : declared, isMuch, micros);
        }
        return new Estimate(declared.isNothing() && memory == null ? unknown : declared, false, micros);
    }
}
