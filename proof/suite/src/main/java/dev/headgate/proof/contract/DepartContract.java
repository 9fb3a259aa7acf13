package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.lease.Departure;
import dev.headgate.internal.time.Micros;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.Outcome;
import dev.headgate.limit.Pause;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A running job that is too late for its call gives its start up and takes a new one, or goes back. */
public interface DepartContract extends StoreFixture {
    private static long storedMargin(Rig rig, JobId id) {
        return rig.store()
                .backend()
                .read(tx -> Objects.requireNonNull(tx.jobs().find(id.value()))
                        .lease()
                        .margin());
    }

    @Test
    default void aNewStartMovesTheLatestMomentAndKeepsTheLease(Rig rig) {
        rig.policy("gate api", "concurrency 1; window 100/1m margin 400ms");
        JobId id = rig.enqueue(job("mail").gate("api"));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(1);
        assertThat(worker.lease(id).lease().margin()).isEqualTo(400_000);
        rig.advance(Duration.ofSeconds(3));
        assertThat(worker.depart(id)).isInstanceOfSatisfying(Departure.Granted.class, granted -> {
            assertThat(granted.lease().lease().margin()).isEqualTo(400_000);
            assertThat(granted.lease().lease().epoch()).isEqualTo(1);
            assertThat(granted.lease().lease().start().latest())
                    .isEqualTo(Micros.of(rig.time().now()) + 400_000);
        });
        assertThat(storedMargin(rig, id)).isEqualTo(400_000);
        assertThat(rig.status(id).leases().attempt()).isEqualTo(1);
        assertThat(rig.gate("gate api").leases()).isEqualTo(1);
        assertThat(worker.finish(id)).isTrue();
        assertThat(rig.gate("gate api").leases()).isZero();
    }

    @Test
    default void theOldStartIsGivenUpAndTheNewOneCounts(Rig rig) {
        rig.policy("gate api", "window 1/1h margin 10m");
        JobId id = rig.enqueue(job("mail").gate("api"));
        JobId next = rig.enqueue(job("mail").gate("api"));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(2)).containsExactly(id);
        rig.advance(Duration.ofMinutes(30));
        assertThat(worker.depart(id)).isInstanceOf(Departure.Granted.class);
        rig.advance(Duration.ofMinutes(2));
        worker.finish(id);
        rig.advance(Duration.ofMinutes(60).minusNanos(1_000));
        assertThat(worker.claim(2)).as("an hour after its handler ended").isEmpty();
        rig.advance(Duration.ofNanos(1_000));
        assertThat(worker.claim(2)).containsExactly(next);
    }

    @Test
    default void theSmallestMarginOfAllItsGatesCountsAnew(Rig rig) {
        rig.policy("gate api", "window 100/1m margin 400ms");
        rig.policy("gate tenant", "window 100/1m margin 100ms");
        rig.policy("queue mail", "window 100/1m margin 200ms");
        JobId id = rig.enqueue(job("mail").gate("api").gate("tenant"));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(1);
        rig.advance(Duration.ofSeconds(1));
        assertThat(worker.depart(id))
                .isInstanceOfSatisfying(
                        Departure.Granted.class,
                        granted -> assertThat(granted.lease().lease().margin()).isEqualTo(100_000));
        assertThat(storedMargin(rig, id)).isEqualTo(100_000);
        worker.finish(id);
    }

    @Test
    default void whatDoesNotFitNowIsDeniedAndChangesNothing(Rig rig) {
        rig.policy("gate api", "window 100/1m margin 400ms");
        JobId id = rig.enqueue(job("mail").gate("api"));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(1);
        rig.store().hold(Rig.key("gate api"), Duration.ofMinutes(1), "status 429");
        assertThat(worker.depart(id)).isEqualTo(new Departure.Denied(60_000_000));
        assertThat(storedMargin(rig, id)).isEqualTo(400_000);
        rig.store().clear(Rig.key("gate api"));
        assertThat(rig.gate("gate api").leases()).isEqualTo(1);
        assertThat(worker.bring(id, new Outcome.Late(Duration.ofSeconds(1)))).isTrue();
        assertThat(rig.state(id)).isEqualTo(JobState.QUEUED);
        assertThat(rig.status(id).leases().attempt()).isZero();
    }

    /** Or a worker that waits for a pause to end would ask the store without a break. */
    @Test
    default void aPauseLetsNothingDepartAndIsLookedAtTenTimesASecond(Rig rig) {
        rig.policy("gate api", "window 100/1m margin 400ms");
        JobId id = rig.enqueue(job("mail").gate("api"));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(1);
        String type = worker.lease(id).spec().type();
        for (Pause pause : List.of(Pause.queue("mail"), Pause.gate("api"), Pause.type(type))) {
            rig.store().policyStore().pause(pause, "test", "");
            assertThat(worker.depart(id)).as(pause.text()).isEqualTo(new Departure.Denied(100_000));
            rig.store().policyStore().resume(pause);
            assertThat(worker.depart(id)).isInstanceOf(Departure.Granted.class);
        }
    }

    @Test
    default void theLineOfItsOwnGateDoesNotMatter(Rig rig) {
        rig.policy("gate api", "concurrency 1; window 100/1m margin 400ms");
        JobId id = rig.enqueue(job("mail").gate("api"));
        JobId next = rig.enqueue(job("mail").gate("api"));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(2)).containsExactly(id);
        rig.advance(Duration.ofSeconds(1));
        assertThat(worker.depart(id)).isInstanceOf(Departure.Granted.class);
        assertThat(worker.claim(2)).isEmpty();
        worker.finish(id);
        assertThat(worker.claim(2)).containsExactly(next);
    }

    @Test
    default void aFormerHolderTakesNoNewStart(Rig rig) {
        rig.policy("gate api", "window 100/1m margin 400ms");
        JobId id = rig.enqueue(job("mail").gate("api"));
        ScriptedWorker zombie = rig.worker("mail");
        zombie.claim(1);
        rig.lose(zombie);
        assertThat(zombie.depart(id)).isEqualTo(new Departure.Gone());
        ScriptedWorker next = rig.worker("mail");
        next.claim(1);
        assertThat(zombie.depart(id)).isEqualTo(new Departure.Gone());
        assertThat(storedMargin(rig, id)).isEqualTo(400_000);
        assertThat(rig.gate("gate api").leases()).isEqualTo(1);
    }

    @Test
    default void aFairGateChargesANewStartOnce(Rig rig) {
        rig.policy("gate api", "concurrency 2; window 100/1m margin 400ms; fair by tenant:*");
        JobId id = rig.enqueue(job("mail").gate("api").gate("tenant:a"));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(1);
        for (int i = 0; i < 3; i++) {
            rig.advance(Duration.ofSeconds(1));
            assertThat(worker.depart(id)).isInstanceOf(Departure.Granted.class);
        }
        worker.finish(id);
    }
}
