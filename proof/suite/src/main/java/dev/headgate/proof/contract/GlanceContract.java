package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.job.JobSpec;
import dev.headgate.proof.Jobs.Draft;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Looks without locks: when time lets something start, and whether more of the same would have to wait. */
public interface GlanceContract extends StoreFixture {
    Duration SECOND = Duration.ofSeconds(1);

    @Test
    default void aFullGateOfPlacesIsShutUntilOneIsFree(Rig rig) {
        rig.policy("gate a", "concurrency 2");
        ScriptedWorker worker = rig.worker("mail");
        rig.enqueue(2, job("mail").gate("a"));
        assertThat(areShut(rig, SECOND, job("mail").gate("a"))).isFalse();
        assertThat(worker.claim(1)).hasSize(1);
        assertThat(areShut(rig, SECOND, job("mail").gate("a")))
                .as("one place is left")
                .isFalse();
        assertThat(worker.claim(1)).hasSize(1);
        assertThat(areShut(rig, SECOND, job("mail").gate("a"))).isTrue();
        assertThat(areShut(rig, Duration.ofDays(365), job("mail").gate("a"))).isTrue();
        assertThat(areShut(rig, SECOND, job("mail").gate("b").gate("a")))
                .as("any of them")
                .isTrue();
        assertThat(areShut(rig, SECOND, job("mail").gate("a"), job("mail").gate("b")))
                .as("one of them could start")
                .isFalse();
        assertThat(areShut(rig, SECOND, job("mail").gate("a"), job("mail")))
                .as("one without gates could start")
                .isFalse();
        worker.finishAll();
        assertThat(areShut(rig, SECOND, job("mail").gate("a"))).isFalse();
    }

    @Test
    default void aGateThatOpensInTimeIsNotShut(Rig rig) {
        rig.policy("gate a", "rate 1/10s burst 1");
        ScriptedWorker worker = rig.worker("mail");
        rig.enqueue(job("mail").gate("a"));
        assertThat(worker.claim(1)).hasSize(1);
        assertThat(areShut(rig, Duration.ofMillis(9_999), job("mail").gate("a")))
                .isTrue();
        assertThat(areShut(rig, Duration.ofSeconds(10), job("mail").gate("a"))).isFalse();
    }

    @Test
    default void aGateIsShutForWhatNeedsMoreThanItHasLeft(Rig rig) {
        rig.policy("gate a", "budget 5");
        ScriptedWorker worker = rig.worker("mail");
        rig.enqueue(job("mail").gate("a").cost(3));
        assertThat(worker.claim(1)).hasSize(1);
        assertThat(areShut(rig, SECOND, job("mail").gate("a").cost(2))).isFalse();
        assertThat(areShut(rig, SECOND, job("mail").gate("a").cost(3))).isTrue();
    }

    @Test
    default void aFullQueueIsShutForPlainJobsToo(Rig rig) {
        rig.policy("queue mail", "concurrency 1");
        ScriptedWorker worker = rig.worker("mail");
        rig.enqueue(job("mail"));
        assertThat(areShut(rig, SECOND, job("mail"))).isFalse();
        assertThat(worker.claim(1)).hasSize(1);
        assertThat(areShut(rig, SECOND, job("mail"))).isTrue();
        assertThat(areShut(rig, SECOND, job("video"))).isFalse();
        assertThat(areShut(rig, SECOND, job("mail"), job("video"))).isFalse();
    }

    @Test
    default void aLookTellsTheFirstOfAllThatTimeBrings(Rig rig) {
        rig.policy("queue slow", "rate 1/10s burst 1").policy("gate a", "rate 1/20s burst 1");
        List<String> queues = List.of("mail", "slow");
        assertThat(rig.store().glance(queues)).as("nothing waits").isNull();
        ScriptedWorker worker = rig.worker("mail", "slow");
        rig.enqueue(job("mail").after(Duration.ofSeconds(30)));
        assertThat(rig.store().glance(queues)).isEqualTo(Duration.ofSeconds(30));
        rig.enqueue(2, job("mail").gate("a"));
        assertThat(worker.claim(5)).hasSize(1);
        assertThat(rig.store().glance(queues)).as("gate a").isEqualTo(Duration.ofSeconds(20));
        rig.enqueue(2, job("slow"));
        assertThat(rig.store().glance(queues))
                .as("nothing was ever started there")
                .isZero();
        assertThat(worker.claim(5)).hasSize(1);
        assertThat(rig.store().glance(queues)).as("queue slow").isEqualTo(Duration.ofSeconds(10));
        rig.advance(Duration.ofSeconds(4));
        assertThat(rig.store().glance(queues)).isEqualTo(Duration.ofSeconds(6));
        assertThat(rig.store().glance(List.of("mail"))).isEqualTo(Duration.ofSeconds(16));
        rig.advance(Duration.ofSeconds(40));
        assertThat(rig.store().glance(queues)).as("long due").isZero();
    }

    private static boolean areShut(Rig rig, Duration time, Draft... drafts) {
        List<JobSpec> specs =
                List.of(drafts).stream().map(draft -> draft.build().spec()).toList();
        return rig.store().areShut(specs, time);
    }
}
