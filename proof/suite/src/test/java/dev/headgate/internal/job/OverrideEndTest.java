package dev.headgate.internal.job;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.headgate.internal.policy.PolicyRequest;
import dev.headgate.internal.time.Micros;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Pause;
import dev.headgate.policy.PolicyEdit;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.spi.JobRow;
import dev.headgate.testkit.VirtualTime;
import dev.headgate.testkit.memory.MemoryBackend;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What writes gates belongs to the limits that hold at its instant, also if an override ends while it is under way. */
class OverrideEndTest {
    private static final GateKey GATE = Rig.key("gate a");

    /** More often than this no act looks at the clock. */
    private static final int LOOKS_MAX = 12;

    /** Each of these writes the gate. */
    static Stream<Arguments> acts() {
        return Stream.of(
                act("claim", rig -> rig.worker("other").turn(1)),
                act("hold", rig -> rig.store().holds().hold(GATE, Duration.ofMinutes(2), "by hand")),
                act(
                        "hold until",
                        rig -> rig.store()
                                .holds()
                                .holdUntil(GATE, VirtualTime.START.plus(Duration.ofMinutes(2)), "by hand")),
                act("release", rig -> rig.store().holds().release(GATE)),
                act("clear", rig -> rig.store().holds().clear(GATE)),
                act("resume", rig -> rig.store().policyStore().resume(Pause.gate("a"))),
                act("change", rig -> rig.policy("gate a", "concurrency 3")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("acts")
    void isDoneAnewIfAnOverrideEndsBetweenTwoLooksAtTheClock(String name, Consumer<Rig> act) {
        for (int look = 1; look <= LOOKS_MAX; look++) {
            VirtualTime time = new VirtualTime();
            AtomicInteger left = new AtomicInteger();
            try (Rig rig = new Rig(new MemoryBackend(() -> lookedAt(time, left)), time)) {
                prepare(rig);
                time.set(Micros.instant(end() - 1));
                left.set(look);
                assertThatCode(() -> act.accept(rig)).as("look %d", look).doesNotThrowAnyException();
            }
        }
    }

    @Test
    void aClaimKeepsTheLimitThatTheEndBringsBack() {
        for (int look = 1; look <= LOOKS_MAX; look++) {
            VirtualTime time = new VirtualTime();
            AtomicInteger left = new AtomicInteger();
            try (Rig rig = new Rig(new MemoryBackend(() -> lookedAt(time, left)), time)) {
                overrideForASecond(rig);
                rig.enqueue(9, job("mail").gate("a"));
                ScriptedWorker worker = rig.worker("mail");
                time.set(Micros.instant(end() - 1));
                left.set(look);
                List<JobRow> started = worker.turn(9).started();
                boolean isOver = started.getFirst().lease().startedAt() >= end();
                assertThat(started).as("look %d", look).hasSize(isOver ? 1 : 5);
            }
        }
    }

    private static long end() {
        return Micros.of(VirtualTime.START) + Micros.PER_SECOND;
    }

    /** Reads the clock; it moves on after the look that was chosen. */
    private static long lookedAt(VirtualTime time, AtomicInteger left) {
        long now = time.micros();
        if (left.decrementAndGet() == 0) {
            time.advance(Duration.ofNanos(1_000));
        }
        return now;
    }

    /** A job at the gate, which is held and paused, for everything to have something to do. */
    private static void prepare(Rig rig) {
        overrideForASecond(rig);
        rig.enqueue(1, job("mail").gate("a"));
        rig.enqueue(1, job("other").gate("a"));
        rig.worker("mail").turn(9);
        rig.store().policyStore().pause(Pause.gate("a"), "ada", "");
        rig.store().holds().hold(GATE, Duration.ofMinutes(1), "before");
    }

    private static void overrideForASecond(Rig rig) {
        rig.policy("gate a", "concurrency 1");
        PolicyEdit wider = new PolicyEdit.OverrideFor(GatePolicy.parse("concurrency 5"), Duration.ofSeconds(1));
        rig.store().changePolicies(PolicyRequest.of(GATE, wider, "ada", ""));
    }

    private static Arguments act(String name, Consumer<Rig> act) {
        return Arguments.of(name, act);
    }
}
