package dev.headgate.proof.simulation;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.job.JobSpec;
import dev.headgate.job.JobState;
import dev.headgate.spi.BacklogTable.Caps;
import dev.headgate.spi.JobTable.Inserted;
import dev.headgate.spi.JobTable.NewRow;
import org.junit.jupiter.api.Test;

/** What the checker of dedup keys takes for a broken promise, and what not. */
class UniqueKeysTest {
    private final Judge judge = new Judge();
    private final Tracks tracks = new Tracks(judge, new RunWatch(judge));

    private void stored(long id) {
        JobSpec spec = job("mail").dedup("k").build().spec();
        tracks.inserted(new NewRow(spec, JobState.QUEUED, 1_000, 1_000, null, Caps.NONE), new Inserted(id, true));
    }

    @Test
    void aSecondJobWithTheKeyOfALiveOneIsAFault() {
        stored(1);
        stored(2);
        assertThat(judge.violation())
                .isNotNull()
                .satisfies(fault -> assertThat(fault.invariant()).isEqualTo("I22"));
    }

    @Test
    void aRevivedJobHasItsKeyAgain() {
        stored(1);
        tracks.endedWaiting(1, JobState.CANCELLED);
        tracks.revived(1);
        stored(2);
        assertThat(judge.violation()).isNotNull();
    }

    @Test
    void aJobThatLostItsKeyOnceDoesNotGetItBack() {
        stored(1);
        tracks.endedWaiting(1, JobState.CANCELLED);
        stored(2);
        tracks.revived(1);
        tracks.endedWaiting(2, JobState.CANCELLED);
        tracks.endedWaiting(1, JobState.CANCELLED);
        tracks.revived(1);
        stored(3);
        assertThat(judge.violation()).isNull();
    }
}
