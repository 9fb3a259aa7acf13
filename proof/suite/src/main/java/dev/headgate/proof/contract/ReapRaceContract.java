package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.job.JobStore;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import dev.headgate.spi.Backend;
import dev.headgate.spi.ForwardingBackend;
import dev.headgate.spi.StoreTransaction;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A reaping that takes a worker's jobs back looks at the worker first and locks it later. What the worker got in between must not
 * be left behind: a lease without a worker would never end.
 */
public interface ReapRaceContract extends StoreFixture {
    @Test
    default void aTurnUnderWayWhenItsWorkerSaysGoodbyeLeavesNoLeaseBehind(Rig rig) {
        rig.policy("gate a", "concurrency 1");
        JobId id = rig.enqueue(job("mail").gate("a"));
        ScriptedWorker worker = rig.worker("mail");
        AfterLook between = new AfterLook(rig.store().backend());
        JobStore leaving = new JobStore(between);
        between.hook = () -> worker.claim(1);

        leaving.deregister(worker.id());

        assertThat(worker.holding()).containsExactly(id);
        rig.lose(worker);
        assertThat(rig.state(id)).isEqualTo(JobState.QUEUED);
        assertThat(rig.leases("gate a")).isZero();
    }

    @Test
    default void aTurnUnderWayWhenItsWorkerIsReapedLeavesNoLeaseBehind(Rig rig) {
        rig.policy("gate a", "concurrency 2");
        JobId first = rig.enqueue(job("mail").gate("a"));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(1);
        JobId second = rig.enqueue(job("mail").gate("a"));
        worker.crash();
        rig.advance(ScriptedWorker.LEASE);
        // A turn decides by the time at which it got its gates, and may commit after the look.
        AfterLook between = new AfterLook(rig.store().backend());
        JobStore reaping = new JobStore(between);
        between.hook = () -> {
            rig.time().stepBack(Duration.ofSeconds(1));
            worker.turn(1, worker.ended());
            rig.time().advance(Duration.ofSeconds(1));
        };

        assertThat(reaping.reap()).isZero();

        assertThat(rig.state(first)).isEqualTo(JobState.SUCCEEDED);
        assertThat(rig.state(second)).isEqualTo(JobState.RUNNING);
        assertThat(rig.store().reap()).isEqualTo(1);
        assertThat(rig.state(second)).isEqualTo(JobState.QUEUED);
        assertThat(rig.leases("gate a")).isZero();
    }

    /** A store in which something happens right after the next read. */
    final class AfterLook extends ForwardingBackend {
        private @Nullable Runnable hook;

        private AfterLook(Backend store) {
            super(store);
        }

        @Override
        public <T extends @Nullable Object> T read(Function<StoreTransaction, T> work) {
            T answer = super.read(work);
            Runnable once = hook;
            hook = null;
            if (once != null) {
                once.run();
            }
            return answer;
        }
    }
}
