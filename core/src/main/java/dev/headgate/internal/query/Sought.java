package dev.headgate.internal.query;

import dev.headgate.internal.json.JsonField;
import dev.headgate.job.JobSearch;
import dev.headgate.job.JobStatus;
import java.util.List;

/** Whether a job is one that a search wants. */
final class Sought {
    private Sought() {}

    /** Whether lists of ids know all that it asks for, so that no job must be read to tell. */
    static boolean isKnownToLists(JobSearch search) {
        return search.worker() == null
                && search.times().equals(JobSearch.Times.ANY)
                && search.error() == null
                && search.payload() == null;
    }

    static boolean is(JobSearch search, JobStatus job) {
        String detail = job.report().detail();
        JobSearch.Field field = search.payload();
        return (search.worker() == null || search.worker().equals(job.leases().worker()))
                && search.times().enqueued().has(job.times().enqueuedAt())
                && search.times().started().has(job.times().startedAt())
                && search.times().ended().has(job.times().finishedAt())
                && job.spec().attributes().hasLabels(search.labels())
                && (search.error() == null || (detail != null && detail.contains(search.error())))
                && (field == null
                        || JsonField.is(
                                job.spec().payload(), List.of(field.path().split("\\.", -1)), field.value()));
    }
}
