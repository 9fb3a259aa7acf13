package dev.headgate;

import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.internal.json.JsonCodec;
import dev.headgate.limit.TypePolicy;
import java.util.function.Supplier;

/**
 * What a request needs to become a job: how payloads are written, and the stored defaults of its type.
 *
 * @param policies read when a job is made
 */
record RequestContext(JsonCodec codec, Supplier<PolicyBook> policies) {
    /** Knows no store. */
    static RequestContext without(JsonCodec codec) {
        return new RequestContext(codec, () -> PolicyBook.EMPTY);
    }

    /** The options of a job of this type before anything is said of it here. */
    JobOptions options(String type) {
        JobOptions options = new JobOptions();
        TypePolicy policy = policies.get().typePolicy(type);
        if (policy != null && policy.defaults() != null) {
            policy.defaults().tell(new OptionDefaults(options));
        }
        return options;
    }
}
