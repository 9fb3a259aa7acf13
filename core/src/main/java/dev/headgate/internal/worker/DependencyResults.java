package dev.headgate.internal.worker;

import dev.headgate.internal.job.JobStore;
import dev.headgate.internal.json.JsonCodec;
import dev.headgate.internal.schedule.ScheduleStore;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.schedule.ScheduledRun;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The results of other jobs, for a handler that builds on them. */
record DependencyResults(JobStore store, JsonCodec codec) {
    List<JobStatus> childrenOf(JobId job) {
        return store.dependencies().children(job);
    }

    <T> List<T> childResults(JobId job, Class<T> type) {
        return childrenOf(job).stream()
                .flatMap(child -> read(child, type).stream())
                .toList();
    }

    <T> Optional<T> of(JobId job, Class<T> type) {
        return read(store.find(job), type);
    }

    /** The instant of the scheduled run that a job was enqueued for. */
    Optional<Instant> scheduledFor(JobId job) {
        return Optional.ofNullable(new ScheduleStore(store.backend()).findRun(job))
                .map(ScheduledRun::at);
    }

    private <T> Optional<T> read(@Nullable JobStatus job, Class<T> type) {
        String json = job == null || job.state() != JobState.SUCCEEDED
                ? null
                : job.report().result();
        return job == null || json == null || json.equals("null")
                ? Optional.empty()
                : Optional.of(codec.read("result of job " + job.id(), json, type));
    }
}
