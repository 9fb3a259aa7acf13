package dev.headgate.testkit;

import dev.headgate.Headgate;
import dev.headgate.UnknownJobException;
import dev.headgate.explain.Explanation;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import java.util.Objects;

/**
 * Assertions about one job as it is now. Each throws an {@link AssertionError} that says where the job is and why:
 * {@code job 7: expected SUCCEEDED, is QUEUED: waiting at gate provider: …}
 */
public final class JobAssert {
    private final Headgate headgate;
    private final JobId id;

    JobAssert(Headgate headgate, JobId id) {
        this.headgate = headgate;
        this.id = id;
    }

    public JobAssert hasSucceeded() {
        return is(JobState.SUCCEEDED);
    }

    public JobAssert hasFailed() {
        return is(JobState.FAILED);
    }

    public JobAssert is(JobState state) {
        expect(status().state() == state, state.toString());
        return this;
    }

    /** It waits in the line of this gate or queue. */
    public JobAssert isWaitingAt(String gate) {
        boolean isWaiting = status().state() == JobState.QUEUED
                && headgate.explain(id).place().gates().stream()
                        .anyMatch(answer ->
                                answer.line().isIn() && answer.gate().name().equals(gate));
        expect(isWaiting, "QUEUED at gate " + gate);
        return this;
    }

    /** It has been started so often; starts that were handed back do not count. */
    public JobAssert hasAttempts(int attempts) {
        int actual = status().leases().attempt();
        expect(actual == attempts, "%d attempts, has %d".formatted(attempts, actual));
        return this;
    }

    /** Its function has returned this. */
    public JobAssert hasResult(Object result) {
        hasSucceeded();
        Object actual = headgate.result(id, result.getClass()).orElse(null);
        expect(Objects.equals(actual, result), "result %s, has %s".formatted(result, actual));
        return this;
    }

    private JobStatus status() {
        return headgate.find(id).orElseThrow(() -> new AssertionError("job %s: there is no such job".formatted(id)));
    }

    private void expect(boolean isSo, String expected) {
        if (!isSo) {
            throw new AssertionError("job %s: expected %s, is %s".formatted(id, expected, actual()));
        }
    }

    private String actual() {
        try {
            Explanation explanation = headgate.explain(id);
            return "%s: %s".formatted(explanation.state(), explanation.summary());
        } catch (UnknownJobException deleted) {
            return "not there any more";
        }
    }
}
