package dev.headgate.cli;

import dev.headgate.Headgate;
import dev.headgate.cli.text.Near;
import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.limit.GateKey.Scope;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.status.Overview.GateView;
import dev.headgate.status.Overview.Lag;
import dev.headgate.status.Overview;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows one gate or queue. */
@Command(name = "show", description = "Show the limits and figures of one of them.")
final class ShowPolicyCommand implements Callable<Integer> {
    private final Shell shell;
    private final Scope scope;

    @Parameters(paramLabel = "NAME", description = "its name, or a pattern such as 'tenant:*'")
    private String name = "";

    ShowPolicyCommand(Shell shell, Scope scope) {
        this.shell = shell;
        this.scope = scope;
    }

    @Override
    public Integer call() {
        GateKey key = new GateKey(scope, name);
        try (Headgate headgate = shell.open()) {
            Overview overview = headgate.overview();
            Map<GateKey, GatePolicy> policies = headgate.policies().all();
            GatePolicy own = policies.get(key);
            Optional<GateView> view = overview.gates().stream()
                    .filter(gate -> gate.key().equals(key))
                    .findFirst();
            if (own != null && PolicyBook.isPattern(key)) {
                showPattern(key, own);
            } else if (view.isPresent()) {
                show(view.get(), new GateShape(policies, overview.at()));
            } else {
                showUnused(key, overview, policies);
            }
        }
        return Exit.OK;
    }

    private void showPattern(GateKey pattern, GatePolicy policy) {
        if (shell.isJson()) {
            shell.say(GateShape.pattern(pattern, policy));
        } else {
            shell.say("%s covers every %s that begins with '%s', each with limits of its own: %s"
                    .formatted(
                            pattern,
                            scope.text(),
                            pattern.name().substring(0, pattern.name().length() - 1),
                            GateShape.text(policy)));
        }
    }

    private void show(GateView gate, GateShape shape) {
        if (shell.isJson()) {
            shell.say(shape.json(gate));
        } else {
            shell.say(shape.table(List.of(gate)));
            if (gate.readings().size() + gate.trials().size() > 0) {
                shell.say("\n");
                shell.say(GateShape.readings(gate));
            }
            GateShape.marginTable(gate).ifPresent(margins -> {
                shell.say("\n");
                shell.say(margins);
                shell.say("\n");
                shape.lagLines(gate).forEach(shell::say);
            });
        }
    }

    /** No row yet: covered by a pattern, or a queue that is only known from jobs, or not known at all. */
    private void showUnused(GateKey key, Overview overview, Map<GateKey, GatePolicy> policies) {
        Optional<GateKey> cover = GateShape.cover(key, policies.keySet());
        Known known = new Known(overview, policies.keySet());
        boolean isKnown = scope == Scope.QUEUE && known.queues().contains(name);
        if (cover.isEmpty() && !isKnown) {
            var names = scope == Scope.QUEUE ? known.queues() : known.gates();
            throw Complaint.bad("%s '%s': no job or policy of this store names it%s%s"
                    .formatted(
                            scope.text(),
                            name,
                            overview.gates().size() >= StatusCommand.GATES_MAX
                                    ? " among the first %d".formatted(StatusCommand.GATES_MAX)
                                    : "",
                            Near.hint(name, names)));
        }
        GatePolicy policy = cover.map(policies::get).orElse(GatePolicy.OPEN);
        show(
                new GateView(key, policy.text(), null, 0, 0, List.of(), List.of(), List.of(), 0, null, null, Lag.NONE),
                new GateShape(policies, overview.at()));
    }
}
