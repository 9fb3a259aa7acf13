package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import dev.headgate.testkit.VirtualTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A change of policies strands no job: none that did not fit, none that waits, none that is due. */
public interface MisfitContract extends StoreFixture {
    @Test
    default void aJobThatFitsAfterAChangeIsBackInItsPlace(Rig rig) {
        JobId large = rig.enqueue(job("mail").gate("gpu").cost(8));
        JobId larger = rig.enqueue(job("mail").gate("gpu").cost(20));
        JobId plain = rig.enqueue(job("mail").cost(8));
        rig.policy("gate gpu", "budget 4").policy("queue mail", "budget 7");
        JobId small = rig.enqueue(job("mail").gate("gpu").cost(1));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(9)).containsExactly(small);
        assertThat(rig.count("mail", JobState.PARKED)).isEqualTo(3);
        rig.policy("gate gpu", "budget 10");
        assertThat(rig.count("mail", JobState.PARKED))
                .as("the queue still refuses")
                .isEqualTo(3);
        rig.policy("queue mail", "");
        assertThat(rig.state(large)).isEqualTo(JobState.QUEUED);
        assertThat(rig.state(plain)).isEqualTo(JobState.QUEUED);
        assertThat(rig.state(larger)).isEqualTo(JobState.PARKED);
        assertThat(worker.claim(9)).containsExactlyInAnyOrder(large, plain);
        rig.policy("gate gpu", "");
        assertThat(worker.claim(9)).containsExactly(larger);
    }

    @Test
    default void moreThanABatchIsRevived(Rig rig) {
        rig.enqueue(2500, job("mail").gate("gpu").cost(8));
        rig.enqueue(10, job("mail").gate("gpu").cost(9));
        rig.policy("gate gpu", "budget 4");
        ScriptedWorker worker = rig.worker("mail");
        worker.claimAll();
        assertThat(rig.count("mail", JobState.PARKED)).isEqualTo(2510);
        rig.policy("gate gpu", "budget 8");
        assertThat(rig.count("mail", JobState.QUEUED)).isEqualTo(2500);
        assertThat(rig.count("mail", JobState.PARKED)).isEqualTo(10);
        assertThat(worker.claim(9)).hasSize(1);
    }

    @Test
    default void aJobParkedForAnotherReasonStaysParked(Rig rig) {
        rig.enqueue(job("mail").gate("gpu").cost(8));
        rig.policy("gate gpu", "budget 4");
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(1);
        JobId other = rig.enqueue(job("mail").type("unheard-of"));
        worker.claim(1);
        worker.park(other, dev.headgate.job.ParkReason.UNKNOWN_HANDLER);
        rig.policy("gate gpu", "");
        assertThat(rig.state(other)).isEqualTo(JobState.PARKED);
    }

    @Test
    default void theDeadlineEndsAParkedJob(Rig rig) {
        Duration minute = Duration.ofMinutes(1);
        JobId late = rig.enqueue(job("mail").gate("gpu").cost(8).deadline(VirtualTime.START.plus(minute)));
        JobId patient = rig.enqueue(job("mail").gate("gpu").cost(8));
        rig.policy("gate gpu", "budget 4");
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(9)).isEmpty();
        assertThat(rig.state(late)).isEqualTo(JobState.PARKED);
        assertThat(worker.sleep()).isEqualTo(minute);
        rig.advance(minute);
        assertThat(worker.claim(9)).isEmpty();
        assertThat(rig.state(late)).isEqualTo(JobState.FAILED);
        assertThat(rig.status(late).report().detail()).contains("deadline passed");
        assertThat(rig.state(patient)).isEqualTo(JobState.PARKED);
    }

    @Test
    default void aPolicyThatIsRemovedWhileTenThousandWaitStrandsNobody(Rig rig) {
        rig.policy("gate t:*", "concurrency 1").policy("gate shared", "rate 1/1h burst 1");
        for (int tenant = 0; tenant < 100; tenant++) {
            rig.enqueue(99, job("mail").gate("t:" + tenant));
        }
        rig.enqueue(100, job("mail").gate("shared", "t:0"));
        ScriptedWorker worker = rig.worker("mail");
        List<JobId> first = worker.claimAll();
        assertThat(first).hasSize(100);
        assertThat(worker.claimAll()).isEmpty();
        rig.policy("gate t:*", "").policy("gate shared", "");
        assertThat(worker.claimAll()).hasSize(9_900);
        assertThat(rig.count("mail", JobState.QUEUED)).isZero();
    }
}
