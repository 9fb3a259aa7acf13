package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.job.JobStore;
import dev.headgate.internal.lease.Departure;
import dev.headgate.internal.limiter.PermitStore;
import dev.headgate.job.JobId;
import dev.headgate.limit.GateKey;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import dev.headgate.spi.Backend;
import dev.headgate.spi.ForwardingBackend;
import dev.headgate.spi.GateTable;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.testkit.VirtualTime;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A transaction that waits for the lock of a gate decides by the time at which it got it: a start that counts from before the
 * wait lets the next one follow too early.
 */
public interface GateWaitContract extends StoreFixture {
    Duration WAIT = Duration.ofMillis(700);

    @Test
    default void aStartCountsFromTheLockOfItsGates(Rig rig) {
        rig.policy("gate a", "window 1/1s margin none");
        checkThatTheNextFollowsASecondAfterTheLock(
                rig, rig.enqueue(2, job("mail").gate("a")));
    }

    @Test
    default void aStartCountsFromTheLockOfItsQueue(Rig rig) {
        rig.policy("queue mail", "spaced 1/1s");
        checkThatTheNextFollowsASecondAfterTheLock(rig, rig.enqueue(2, job("mail")));
    }

    private static void checkThatTheNextFollowsASecondAfterTheLock(Rig rig, List<JobId> jobs) {
        ScriptedWorker worker = rig.worker("mail");
        SlowLocks slow = new SlowLocks(rig.store().backend(), rig.time(), WAIT);
        rig.reopenedAs(slow);
        assertThat(worker.claim(1)).containsExactly(jobs.getFirst());
        assertThat(rig.status(jobs.getFirst()).times().startedAt())
                .isEqualTo(rig.time().now());

        rig.reopenedAs(slow.quick());
        rig.advance(Duration.ofMillis(999));
        assertThat(worker.claim(1)).isEmpty();
        rig.advance(Duration.ofMillis(1));
        assertThat(worker.claim(1)).containsExactly(jobs.getLast());
    }

    @Test
    default void aNewStartOfARunningJobCountsFromTheLockOfItsGates(Rig rig) {
        rig.policy("gate a", "window 1/1s margin none");
        ScriptedWorker worker = rig.worker("mail");
        JobId id = rig.enqueue(job("mail").gate("a"));
        assertThat(worker.claim(1)).containsExactly(id);
        rig.advance(Duration.ofSeconds(1));
        rig.reopenedAs(new SlowLocks(rig.store().backend(), rig.time(), WAIT));
        assertThat(worker.depart(id)).isInstanceOf(Departure.Granted.class);
        assertThat(rig.status(id).times().startedAt()).isEqualTo(rig.time().now());
        rig.reopenedAs(((SlowLocks) rig.store().backend()).quick());
    }

    @Test
    default void aPermitCountsFromTheLockOfItsGates(Rig rig) {
        rig.policy("gate a", "window 1/1s margin none");
        SlowLocks slow = new SlowLocks(rig.store().backend(), rig.time(), WAIT);
        List<GateKey> gates = List.of(GateKey.gate("a"));
        Duration minute = Duration.ofMinutes(1);
        assertThat(new PermitStore(slow, rig.ticker()).ask(gates, 1, -7, minute))
                .isInstanceOf(PermitStore.Granted.class);
        PermitStore permits = new PermitStore(slow.quick(), rig.ticker());
        rig.advance(Duration.ofMillis(999));
        assertThat(permits.ask(gates, 1, -8, minute)).isInstanceOf(PermitStore.Refused.class);
        rig.advance(Duration.ofMillis(1));
        assertThat(permits.ask(gates, 1, -9, minute)).isInstanceOf(PermitStore.Granted.class);
        assertThat(new JobStore(slow.quick()).recount()).isEmpty();
    }

    /** A store in which the first lock of gates in each transaction is waited for. */
    final class SlowLocks extends ForwardingBackend {
        private final Backend store;
        private final VirtualTime time;
        private final Duration wait;

        private SlowLocks(Backend store, VirtualTime time, Duration wait) {
            super(store);
            this.store = store;
            this.time = time;
            this.wait = wait;
        }

        /** The same store without waits. */
        private Backend quick() {
            return store;
        }

        @Override
        public <T extends @Nullable Object> T write(Function<StoreTransaction, T> work) {
            return super.write(tx -> work.apply(with(
                    StoreTransaction.class,
                    tx,
                    "gates",
                    gates -> with(GateTable.class, (GateTable) gates, "lock", rows -> {
                        time.advance(wait);
                        return rows;
                    }))));
        }

        /** The same, but for what this method answers. */
        private static <T> T with(Class<T> type, T real, String name, UnaryOperator<Object> then) {
            return type.cast(Proxy.newProxyInstance(
                    type.getClassLoader(), new Class<?>[] {type}, (self, method, args) -> {
                        try {
                            Object answer = method.invoke(real, args);
                            return method.getName().equals(name) ? then.apply(answer) : answer;
                        } catch (InvocationTargetException thrown) {
                            throw thrown.getCause();
                        }
                    }));
        }
    }
}
