package dev.headgate;

import dev.headgate.job.Attributes;
import dev.headgate.job.JobType;
import dev.headgate.spi.NewJob;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A job as it was asked for, checked and with its payload written, and what it has to do with others. */
record JobRequest(NewJob job, JobRelations relations) {
    static <T> JobRequest of(
            RequestContext context, JobType<T> type, @Nullable T payload, Consumer<JobOptions> options) {
        if (payload == null) {
            throw new IllegalArgumentException(
                    "payload of '%s': expected a %s, got null; a job that needs no payload can have a record without fields"
                            .formatted(type.name(), type.payload().getSimpleName()));
        }
        JobOptions asked = context.options(type.name());
        type.defaults(payload, new OptionDefaults(asked));
        options.accept(asked);
        String json = context.codec().write("payload of '" + type.name() + "'", payload);
        return new JobRequest(asked.job(type.name(), json), asked.relations());
    }

    /** The same with what the job that waits for it hands on. */
    JobRequest inheriting(Attributes inherited) {
        return inherited.isEmpty()
                ? this
                : new JobRequest(new NewJob(job.spec().inheriting(inherited), job.due(), job.needs()), relations);
    }

    /** The job in a message about a cycle. */
    String label() {
        String name = relations.name();
        return name == null ? "a job of type '%s'".formatted(job.spec().type()) : "'%s'".formatted(name);
    }
}
