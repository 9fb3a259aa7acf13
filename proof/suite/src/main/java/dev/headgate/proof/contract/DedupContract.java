package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.ParkReason;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import dev.headgate.spi.JobTable.Inserted;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A dedup key: at most one live job carries it, and the answer names that job. */
public interface DedupContract extends StoreFixture {
    @Test
    default void aSecondJobWithTheKeyOfALiveOneIsThatOne(Rig rig) {
        Inserted first = rig.insert(job("mail").dedup("welcome:7"));
        Inserted second = rig.insert(job("video").gate("a").dedup("welcome:7"));
        assertThat(first.isNew()).isTrue();
        assertThat(second).isEqualTo(new Inserted(first.id(), false));
        assertThat(rig.worker("mail", "video").claimAll()).containsExactly(JobId.of(first.id()));
    }

    @Test
    default void theKeyCountsInEveryLiveState(Rig rig) {
        JobId id = rig.enqueue(job("mail").dedup("k").after(Duration.ofSeconds(1)));
        assertSame(rig, id, JobState.SCHEDULED);
        rig.store().retry(id);
        assertSame(rig, id, JobState.QUEUED);
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(1);
        assertSame(rig, id, JobState.RUNNING);
        worker.park(id, ParkReason.UNREADABLE_PAYLOAD);
        assertSame(rig, id, JobState.PARKED);
    }

    private static void assertSame(Rig rig, JobId id, JobState state) {
        assertThat(rig.state(id)).isEqualTo(state);
        assertThat(rig.insert(job("mail").dedup("k"))).isEqualTo(new Inserted(id.value(), false));
    }

    @Test
    default void anEndedJobFreesItsKey(Rig rig) {
        ScriptedWorker worker = rig.worker("mail");
        Inserted done = rig.insert(job("mail").dedup("k"));
        worker.claim(1);
        worker.finish(JobId.of(done.id()));
        Inserted failed = rig.insert(job("mail").dedup("k"));
        worker.claim(1);
        worker.fail(JobId.of(failed.id()), "no");
        Inserted cancelled = rig.insert(job("mail").dedup("k"));
        rig.store().cancel(JobId.of(cancelled.id()));
        Inserted deleted = rig.insert(job("mail").dedup("k"));
        rig.store().delete(JobId.of(deleted.id()));
        Inserted last = rig.insert(job("mail").dedup("k"));
        assertThat(List.of(done, failed, cancelled, deleted, last)).allMatch(Inserted::isNew);
    }

    @Test
    default void aKeyWithATimeIsFreeFromTheInstantItEnds(Rig rig) {
        Duration window = Duration.ofMinutes(1);
        Inserted first = rig.insert(job("mail").dedup("k").dedupFor(window));
        rig.advance(window.minusNanos(1_000));
        assertThat(rig.insert(job("mail").dedup("k").dedupFor(window)).isNew()).isFalse();
        rig.advance(Duration.ofNanos(1_000));
        Inserted second = rig.insert(job("mail").dedup("k").dedupFor(window));
        assertThat(second.isNew()).isTrue();
        assertThat(rig.state(JobId.of(first.id()))).isEqualTo(JobState.QUEUED);
        assertThat(rig.insert(job("mail").dedup("k"))).isEqualTo(new Inserted(second.id(), false));
    }

    @Test
    default void aBatchMayRepeatAKeyAndMixOldAndNew(Rig rig) {
        JobId old = rig.enqueue(job("mail").dedup("old"));
        List<JobId> ids = rig.enqueue(
                job("mail").dedup("new"),
                job("mail"),
                job("mail").dedup("old"),
                job("mail").gate("a").dedup("new"),
                job("mail"));
        assertThat(ids.get(2)).isEqualTo(old);
        assertThat(ids.get(3)).isEqualTo(ids.get(0));
        assertThat(rig.worker("mail").claimAll()).containsExactly(old, ids.get(0), ids.get(1), ids.get(4));
    }

    @Test
    default void jobsWithoutAKeyNeverMeet(Rig rig) {
        assertThat(rig.enqueue(5, job("mail"))).doesNotHaveDuplicates();
    }

    @Test
    default void aRevivedJobTakesItsKeyAgainIfItIsFree(Rig rig) {
        ScriptedWorker worker = rig.worker("mail");
        JobId id = rig.enqueue(job("mail").dedup("k"));
        worker.claim(1);
        worker.fail(id, "no");
        rig.store().retry(id);
        assertThat(rig.insert(job("mail").dedup("k"))).isEqualTo(new Inserted(id.value(), false));
    }

    @Test
    default void aRevivedJobComesBackWithoutAKeyThatAnotherCarriesByNow(Rig rig) {
        ScriptedWorker worker = rig.worker("mail");
        JobId id = rig.enqueue(job("mail").dedup("k"));
        worker.claim(1);
        worker.fail(id, "no");
        JobId other = rig.enqueue(job("mail").dedup("k"));
        rig.store().retry(id);
        assertThat(rig.status(id).spec().dedup().key()).isNull();
        assertThat(rig.insert(job("mail").dedup("k"))).isEqualTo(new Inserted(other.value(), false));
        assertThat(worker.claim(5)).containsExactly(id, other);
    }

    @Test
    default void aJobThatCameBackWithoutItsKeyHasNoneWhenItComesBackAgain(Rig rig) {
        JobId id = rig.enqueue(job("mail").dedup("k"));
        rig.store().cancel(id);
        JobId other = rig.enqueue(job("mail").dedup("k"));
        rig.store().retry(id);
        rig.store().cancel(other);
        rig.store().cancel(id);
        rig.store().retry(id);
        assertThat(rig.status(id).spec().dedup().key()).isNull();
        assertThat(rig.insert(job("mail").dedup("k")).isNew()).isTrue();
    }

    @Test
    default void aJobWhoseKeyAnotherTookAfterItsTimeHasNoneWhenItComesBack(Rig rig) {
        JobId id = rig.enqueue(job("mail").dedup("k").dedupFor(Duration.ofMinutes(1)));
        rig.advance(Duration.ofMinutes(1));
        JobId other = rig.enqueue(job("mail").dedup("k"));
        rig.store().cancel(other);
        rig.store().cancel(id);
        rig.store().retry(id);
        assertThat(rig.status(id).spec().dedup().key()).isNull();
        assertThat(rig.insert(job("mail").dedup("k")).isNew()).isTrue();
    }
}
