package dev.headgate.limiter;

import dev.headgate.internal.limiter.GateLimiter;
import dev.headgate.internal.limiter.PermitStore;
import dev.headgate.proof.Rig;
import dev.headgate.proof.conformance.WorkglowLimiterConformance;
import dev.headgate.spi.Backend;
import dev.headgate.spi.StoreClock;
import dev.headgate.testkit.memory.MemoryBackend;
import java.util.List;

/** The limits of a queue as a limiter keep what those of a gate keep. */
class QueueLimiterConformanceTest implements WorkglowLimiterConformance {
    @Override
    public Backend open(StoreClock clock) {
        return new MemoryBackend(clock);
    }

    @Override
    public Backend reopen(StoreClock clock) {
        throw new IllegalStateException("nothing here is opened twice");
    }

    @Override
    public Nested nested(Rig rig, String outer, String middle, String inner) {
        rig.policy("queue outer", outer);
        rig.policy("gate middle", middle);
        rig.policy("queue inner", inner);
        PermitStore permits = new PermitStore(rig.store().backend(), rig.ticker());
        return new Nested(
                new GateLimiter(
                        permits, List.of(Rig.key("queue outer"), Rig.key("gate middle"), Rig.key("queue inner"))),
                new GateLimiter(permits, List.of(Rig.key("queue inner"))));
    }

    @Override
    public Limiter limiter(Rig rig, String policy) {
        if (!policy.isEmpty()) {
            rig.policy("queue api", policy);
        }
        return new GateLimiter(new PermitStore(rig.store().backend(), rig.ticker()), List.of(Rig.key("queue api")));
    }
}
