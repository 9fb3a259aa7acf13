package dev.headgate.builtin;

import dev.headgate.handler.PermanentFailure;
import java.util.Collection;
import java.util.Map;
import java.util.Set;

/**
 * The variables of this process that jobs may use, and no others: whoever can enqueue could send any of them to a host
 * that may be called.
 */
final class Environment {
    private final Set<String> allowed;
    private final Map<String, String> variables;

    Environment(Collection<String> allowed, Map<String, String> variables) {
        this.allowed = Set.copyOf(allowed);
        this.variables = variables;
    }

    /** The value that a variable has for a header. */
    String header(String header, String variable) {
        String value = variables.get(variable);
        if (!allowed.contains(variable) || value == null) {
            throw new PermanentFailure(
                    "header '%s': expected a worker that has and passes on the variable %s, got one that does not; set it, start the worker with --pass-env %s and retry the job"
                            .formatted(header, variable, variable));
        }
        try {
            HttpJob.checkHeaderValue(header, value.strip());
        } catch (IllegalArgumentException unfit) {
            throw new PermanentFailure("variable %s: %s".formatted(variable, unfit.getMessage()));
        }
        return value.strip();
    }
}
