package dev.headgate;

import static dev.headgate.limit.Limit.concurrency;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headgate.job.JobType;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.policy.PolicyConflictException;
import dev.headgate.policy.PolicyVersion;
import dev.headgate.testkit.VirtualTime;
import dev.headgate.testkit.memory.MemoryBackend;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Policies as a program states them. */
class PoliciesTest {
    private static final JobType<String> CALL = JobType.of("call", String.class);

    private final VirtualTime time = new VirtualTime();
    private final MemoryBackend backend = new MemoryBackend(time);
    private final Headgate headgate = Headgate.open(backend);

    @AfterEach
    void close() {
        headgate.close();
        backend.close();
    }

    private String stored(String gate) {
        return headgate.policies()
                .entries()
                .getOrDefault(GateKey.gate(gate), dev.headgate.policy.PolicyEntry.NOTHING)
                .text();
    }

    private PolicyVersion latest() {
        return headgate.policies().history(1).getFirst();
    }

    @Test
    void aRestartDoesNotUndoWhatAnOperatorChanged() {
        headgate.policies().gate("api", g -> g.limits("concurrency 8"));
        headgate.policies().by("ada").because("incident 7").replacing().gate("api", g -> g.limits("concurrency 2"));
        assertThatThrownBy(() -> headgate.policies().gate("api", g -> g.limits("concurrency 8")))
                .isInstanceOf(PolicyConflictException.class)
                .hasMessageContainingAll(
                        "policy of gate api",
                        "'concurrency 8'",
                        "'concurrency 2' is stored (version 2, by ada",
                        "incident 7",
                        "replacing()",
                        "keeping()");
        headgate.policies().keeping().gate("api", g -> g.limits("concurrency 8"));
        assertThat(stored("api")).isEqualTo("concurrency 2");
        headgate.policies().replacing().gate("api", g -> g.limits("concurrency 8"));
        assertThat(stored("api")).isEqualTo("concurrency 8");
        assertThat(latest().author()).isEqualTo("program");
    }

    @Test
    void anOverrideConflictsWithNothingAndEndsByItself() {
        headgate.policies().gate("api", g -> g.limits("concurrency 8"));
        headgate.policies().by("ada").gate("api", g -> g.limits("concurrency 1").until(Duration.ofHours(2)));
        headgate.policies().gate("api", g -> g.limits("concurrency 8"));
        assertThat(stored("api")).isEqualTo("concurrency 8 | concurrency 1 until 2026-01-01T02:00:00Z");
        assertThat(headgate.policies().all()).containsEntry(GateKey.gate("api"), GatePolicy.of(concurrency(8)));
        time.advance(Duration.ofHours(2));
        assertThat(stored("api")).isEqualTo("concurrency 8");
        Instant end = time.now().plusSeconds(60);
        headgate.policies().gate("api", g -> g.limits("concurrency 2").until(end));
        assertThat(stored("api")).endsWith("until " + end);
        headgate.policies().endOverride(GateKey.gate("api"));
        assertThat(stored("api")).isEqualTo("concurrency 8");
        assertThatThrownBy(() -> headgate.policies()
                        .gate("api", g -> g.limits("concurrency 2").until(Duration.ZERO)))
                .hasMessageContaining("until: expected more than zero");
        assertThatThrownBy(() -> headgate.policies()
                        .gate("api", g -> g.limits("concurrency 2").until(time.now())))
                .hasMessageContaining("expected an end in the future");
    }

    @Test
    void undoAndHistory() {
        headgate.policies().gate("api", g -> g.limits("concurrency 8"));
        headgate.policies().removeGate("api");
        headgate.policies().by("ada").undo();
        assertThat(stored("api")).isEqualTo("concurrency 8");
        assertThat(latest().reason()).isEqualTo("back to version 1");
        headgate.policies().by("ada").because("start over").undoTo(0);
        assertThat(headgate.policies().entries()).isEmpty();
        assertThat(headgate.policies().version()).isEqualTo(4);
        assertThat(headgate.policies().history(10)).hasSize(4);
    }

    @Test
    void aBadLimitIsOneComplaint() {
        assertThatThrownBy(() -> headgate.policies().gate("api", g -> g.limits("concurency 3")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("unknown kind of limit 'concurency'")
                .satisfies(fault -> assertThat(fault.getMessage()).doesNotContain("at least one limit", "\n"));
        assertThatThrownBy(() -> headgate.policies().gate("api", g -> g.limits(" ; ")))
                .hasMessageContaining("expected at least one limit");
    }

    @Test
    void aProviderIsAskedOncePerNameAndItsAnswerIsStored() {
        List<GateKey> asked = new ArrayList<>();
        headgate.policies().by("ada").gate("tenant:known", g -> g.limits("concurrency 1"));
        headgate.policies().provider(key -> {
            asked.add(key);
            return key.name().startsWith("tenant:") ? Optional.of(GatePolicy.of(concurrency(5))) : Optional.empty();
        });
        for (int i = 0; i < 2; i++) {
            headgate.enqueue(
                    CALL,
                    "x",
                    job -> job.gate("tenant:acme").gate("tenant:known").gate("other"));
        }
        assertThat(asked)
                .containsExactlyInAnyOrder(
                        GateKey.queue("default"),
                        GateKey.gate("tenant:acme"),
                        GateKey.gate("tenant:known"),
                        GateKey.gate("other"));
        assertThat(stored("tenant:acme")).isEqualTo("concurrency 5");
        assertThat(stored("tenant:known")).as("what is stored is the truth").isEqualTo("concurrency 1");
        assertThat(latest().author()).isEqualTo("provider");
        assertThat(headgate.policies().version()).isEqualTo(2);
    }

    @Test
    void aChangedPlanIsStoredWhenAskedAgain() {
        long[] plan = {5};
        headgate.policies()
                .provider(key -> plan[0] == 0 ? Optional.empty() : Optional.of(GatePolicy.of(concurrency(plan[0]))));
        headgate.policies().refresh(GateKey.gate("tenant:acme"));
        plan[0] = 9;
        headgate.policies().refresh(GateKey.gate("tenant:acme")).refresh(GateKey.gate("tenant:acme"));
        assertThat(stored("tenant:acme")).isEqualTo("concurrency 9");
        assertThat(headgate.policies().version()).isEqualTo(2);
        plan[0] = 0;
        headgate.policies().refresh(GateKey.gate("tenant:acme"));
        assertThat(stored("tenant:acme")).isEmpty();
        assertThat(headgate.policies().version()).isEqualTo(3);
    }

    @Test
    void withoutAProviderNothingCanBeAskedAgain() {
        assertThatThrownBy(() -> Headgate.open(backend).policies().refresh(GateKey.gate("x")))
                .hasMessageContaining("found none; set one with policies().provider");
    }
}
