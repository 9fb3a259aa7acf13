package dev.headgate;

import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.internal.enqueue.ImpossibleJobs;
import dev.headgate.internal.enqueue.RequiredGates;
import dev.headgate.internal.json.JsonCodec;
import dev.headgate.internal.text.Names;
import dev.headgate.spi.NewJob;
import java.util.List;
import java.util.function.Consumer;

/**
 * A job as text, for tools that do not have its Java type; see {@link Enqueuer#enqueueAllJson}.
 *
 * @param type the name of its job type
 * @param json its payload
 * @param options what else to say about it, such as {@code job -> job.queue("mail")}
 */
public record JsonJob(String type, String json, Consumer<JobOptions> options) {
    private static final JsonCodec JSON = new JsonCodec();

    /**
     * Does nothing if an enqueue would take this job, as far as that can be told without a store.
     *
     * @throws IllegalArgumentException that names what is wrong with it
     */
    public void check() {
        RequestContext context = RequestContext.without(JSON);
        JobGraph.of(context, List.of(read(context)));
    }

    /**
     * The same under the policies of a store: also a job is refused that lacks a gate which its type requires, or that could never start.
     *
     * @throws IllegalArgumentException that names what is wrong with it
     */
    public void check(Policies policies) {
        PolicyBook book = policies.recent();
        RequestContext context = new RequestContext(JSON, () -> book);
        for (NewJob job : JobGraph.of(context, List.of(read(context))).jobs()) {
            RequiredGates.refuse(job.spec(), book);
            ImpossibleJobs.refuse(job.spec(), book);
        }
    }

    JobRequest read(RequestContext context) {
        Names.check("job type", type);
        JobOptions asked = context.options(type);
        options.accept(asked);
        NewJob job = asked.job(type, context.codec().check("payload of '%s'".formatted(type), json));
        return new JobRequest(job, asked.relations());
    }
}
