package dev.headgate.internal.workflow;

import dev.headgate.internal.lease.EndedLease;
import dev.headgate.internal.run.Move;
import dev.headgate.job.JobSpec;
import dev.headgate.job.JobSpec.FrameRef;
import dev.headgate.job.JobState;
import dev.headgate.job.Outcome;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.JobTable.Ending;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What came of a job that is a step of a workflow run.
 *
 * @param move where the run goes from here; absent unless it is done
 * @param detail the error, if it failed or is tried again
 */
public record StepOutcome(
        FrameRef frame,
        JobSpec job,
        How how,
        @Nullable Move move,
        @Nullable String detail) {
    /** What an end means for the run. */
    enum How {
        DONE,
        FAILED,
        CANCELLED,
        /** An attempt was made, and another one follows. */
        RETRIED,
        /** No attempt was made; the job waits as before. */
        BACK
    }

    /** A step whose worker is gone; absent for a plain job. */
    public static Optional<StepOutcome> lost(JobRow job, List<Ending> endings, boolean isGoodbye) {
        FrameRef frame = job.spec().frame();
        if (frame == null) {
            return Optional.empty();
        }
        for (Ending ending : endings) {
            if (ending.lease().job() == job.id()) {
                How how = ending.state() == JobState.CANCELLED ? How.CANCELLED : How.FAILED;
                return Optional.of(new StepOutcome(frame, job.spec(), how, null, ending.detail()));
            }
        }
        How how = isGoodbye ? How.BACK : How.RETRIED;
        return Optional.of(new StepOutcome(frame, job.spec(), how, null, "its worker was lost"));
    }

    /** A step whose job was cancelled or deleted before it ran; null for a plain job. */
    public static List<StepOutcome> removed(JobRow job, String why) {
        FrameRef frame = job.spec().frame();
        return frame == null ? List.of() : List.of(new StepOutcome(frame, job.spec(), How.CANCELLED, null, why));
    }

    /** Whether it would move its run from a revision that has passed, being a job of any revision. */
    boolean isOutOfDate(long revision) {
        return frame.revision() < 0 && move != null && move.seen() != null && move.seen() != revision && !move.isStay();
    }

    public static StepOutcome of(EndedLease ended, boolean isStopped) {
        JobSpec job = ended.lease().spec();
        FrameRef frame = Objects.requireNonNull(job.frame());
        if (isStopped) {
            return new StepOutcome(frame, job, How.CANCELLED, null, "cancelled while it ran");
        }
        return switch (ended.outcome()) {
            case Outcome.Succeeded done
            when ended.move() != null -> new StepOutcome(frame, job, How.DONE, ended.move(), null);
            case Outcome.Succeeded done ->
                new StepOutcome(frame, job, How.FAILED, null, "it ended without saying where its run goes on");
            case Outcome.Failed(String error) -> new StepOutcome(frame, job, How.FAILED, null, error);
            case Outcome.Cancelled(String reason) -> new StepOutcome(frame, job, How.CANCELLED, null, reason);
            case Outcome.RetryAfter retry -> new StepOutcome(frame, job, How.RETRIED, null, retry.error());
            case Outcome.RetryAt retry -> new StepOutcome(frame, job, How.RETRIED, null, retry.error());
            case Outcome.HandedBack back -> new StepOutcome(frame, job, How.BACK, null, null);
            case Outcome.Late late -> new StepOutcome(frame, job, How.BACK, null, null);
            case Outcome.PushedBack pushed -> new StepOutcome(frame, job, How.BACK, null, null);
            case Outcome.Parked parked -> new StepOutcome(frame, job, How.BACK, null, null);
        };
    }
}
