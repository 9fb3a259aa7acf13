package dev.headgate;

import dev.headgate.job.JobId;
import org.jspecify.annotations.Nullable;

/** No job has this id: there never was one, or it was deleted or pruned. */
public final class UnknownJobException extends NotFoundException {
    private static final long serialVersionUID = 1L;

    private final transient JobId id;

    UnknownJobException(JobId id) {
        super(
                "job %s: no such job, neither live nor in history; it may have been deleted, or pruned after its retention"
                        .formatted(id));
        this.id = id;
    }

    static <T> T ifAbsent(JobId id, @Nullable T found) {
        if (found == null) {
            throw new UnknownJobException(id);
        }
        return found;
    }

    /** The id that was asked for. */
    public JobId id() {
        return id;
    }
}
