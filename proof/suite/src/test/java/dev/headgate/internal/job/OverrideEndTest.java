package dev.headgate.internal.job;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.policy.PolicyRequest;
import dev.headgate.internal.time.Micros;
import dev.headgate.limit.GatePolicy;
import dev.headgate.policy.PolicyEdit;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.testkit.VirtualTime;
import dev.headgate.testkit.memory.MemoryBackend;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A start belongs to the limits that hold at its instant, also if an override ends while a claim is under way. */
class OverrideEndTest {
    @Test
    void aClaimThatAnOverrideEndsInIsDecidedAnew() {
        VirtualTime time = new VirtualTime();
        AtomicBoolean isArmed = new AtomicBoolean();
        Rig rig = new Rig(
                new MemoryBackend(() -> {
                    long now = time.micros();
                    if (isArmed.compareAndSet(true, false)) {
                        time.advance(Duration.ofNanos(1_000));
                    }
                    return now;
                }),
                time);
        rig.policy("gate a", "concurrency 1");
        PolicyEdit wider = new PolicyEdit.OverrideFor(GatePolicy.parse("concurrency 5"), Duration.ofSeconds(1));
        rig.store().changePolicies(PolicyRequest.of(Rig.key("gate a"), wider, "ada", ""));
        rig.enqueue(9, job("mail").gate("a"));
        ScriptedWorker worker = rig.worker("mail");
        time.set(Micros.instant(Micros.of(VirtualTime.START) + Micros.PER_SECOND - 1));
        isArmed.set(true);
        assertThat(worker.turn(9).started()).hasSize(1);
        assertThat(isArmed).isFalse();
        rig.close();
    }
}
