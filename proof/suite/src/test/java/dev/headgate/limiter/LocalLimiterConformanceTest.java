package dev.headgate.limiter;

import dev.headgate.internal.time.Micros;
import dev.headgate.internal.time.WallClock;
import dev.headgate.limit.GatePolicy;
import dev.headgate.proof.Rig;
import dev.headgate.proof.conformance.WorkglowLimiterConformance;
import dev.headgate.spi.Backend;
import dev.headgate.spi.StoreClock;
import dev.headgate.testkit.memory.MemoryBackend;
import java.time.Instant;

/** The limiters of one process keep what the gates of a store keep. The store here only brings the clock. */
class LocalLimiterConformanceTest implements WorkglowLimiterConformance {
    @Override
    public Backend open(StoreClock clock) {
        return new MemoryBackend(clock);
    }

    @Override
    public Backend reopen(StoreClock clock) {
        throw new IllegalStateException("a limiter of one process has nothing to reopen");
    }

    @Override
    public Instant now(Rig rig) {
        return Micros.instant(WallClock.micros());
    }

    @Override
    public Nested nested(Rig rig, String outer, String middle, String inner) {
        LocalLimiter innermost = local(rig, inner);
        return new Nested(local(rig, outer).add(local(rig, middle).add(innermost)), innermost);
    }

    @Override
    public Limiter limiter(Rig rig, String policy) {
        return local(rig, policy);
    }

    private static LocalLimiter local(Rig rig, String policy) {
        return Limiter.inProcess(GatePolicy.parse(policy), () -> rig.time().micros() * 1_000);
    }
}
