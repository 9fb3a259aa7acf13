package dev.headgate.server.api;

import dev.headgate.Headgate;
import dev.headgate.run.RunId;
import dev.headgate.run.RunStatus;
import dev.headgate.run.WorkflowDefinition;
import dev.headgate.server.http.Problem;
import dev.headgate.server.http.ProblemException;
import dev.headgate.server.route.Call;
import dev.headgate.server.token.Token;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which runs a token covers. A run belongs to the queue of its definition, and to a token with types if that covers all its steps, whose
 * jobs have types such as {@code ship@1/reserve}. What a run starts belongs with it: the run at the top of the tree decides for all
 * below, because an act on it is an act on them.
 */
final class RunScope {
    private final Headgate headgate;
    private final Token token;
    private final Map<String, WorkflowDefinition> definitions = new HashMap<>();

    RunScope(Call call) {
        this.headgate = call.headgate();
        this.token = call.bearer();
        if (token.isScoped()) {
            headgate.workflows().definitions().forEach(each -> definitions.put(each.toString(), each));
        }
    }

    boolean covers(WorkflowDefinition definition) {
        return token.covers(definition.queue(), definition + "/");
    }

    boolean covers(RunStatus run) {
        if (!token.isScoped()) {
            return true;
        }
        RunStatus top = top(run);
        WorkflowDefinition definition = top == null
                ? null
                : definitions.get(
                        "%s@%d".formatted(top.origin().workflow(), top.origin().version()));
        return definition != null && covers(definition);
    }

    private @Nullable RunStatus top(RunStatus run) {
        RunStatus at = run;
        while (at != null && at.origin().parent() != null) {
            at = headgate.workflows().find(at.origin().parent()).orElse(null);
        }
        return at;
    }

    /** The run in the path. One that the token does not cover is as if it did not exist. */
    static RunStatus run(Call call) {
        String text = call.path("run");
        RunId id;
        try {
            id = RunId.parse(text);
        } catch (IllegalArgumentException notANumber) {
            throw new ProblemException(Problem.NOT_FOUND, String.valueOf(notANumber.getMessage()));
        }
        return run(call, id.value());
    }

    /** The same of a run that is named elsewhere. */
    static RunStatus run(Call call, long number) {
        RunId id = RunId.of(number);
        return call.headgate()
                .workflows()
                .find(id)
                .filter(new RunScope(call)::covers)
                .orElseThrow(() -> new ProblemException(
                        Problem.NOT_FOUND, "run %s: no such run, or one that the token may not see".formatted(id)));
    }

    /** The workflow in the path, {@code ship} in its newest version, or {@code ship@2}. */
    static WorkflowDefinition definition(Call call) {
        String asked = call.path("workflow");
        RunScope scope = new RunScope(call);
        return call.headgate().workflows().definitions().stream()
                .filter(scope::covers)
                .filter(each -> asked.equals(each.name()) || asked.equals(each.toString()))
                .reduce((older, newer) -> newer)
                .orElseThrow(() -> new ProblemException(
                        Problem.NOT_FOUND,
                        "workflow '%s': expected one that a program has registered on this store and that the token may see, found none"
                                .formatted(asked)));
    }
}
