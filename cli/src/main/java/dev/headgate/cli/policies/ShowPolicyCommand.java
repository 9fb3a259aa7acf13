package dev.headgate.cli.policies;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.CommandException;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.store.StatusCommand;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.internal.text.NearestName;
import dev.headgate.job.JobFilter;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GateKey.Scope;
import dev.headgate.limit.GatePolicy;
import dev.headgate.server.api.GateJobs;
import dev.headgate.server.api.GateJson;
import dev.headgate.server.api.KnownNames;
import dev.headgate.status.Overview;
import dev.headgate.status.Overview.GateView;
import dev.headgate.status.Overview.Lag;
import dev.headgate.status.Overview.Line;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Shows one gate or queue. */
@Command(name = "show", description = "Show the limits and figures of one of them.")
public final class ShowPolicyCommand implements Callable<Integer> {
    private final CommandContext shell;
    private final Scope scope;

    @Parameters(paramLabel = "NAME", description = "its name, or a pattern such as 'tenant:*'")
    private String name = "";

    @Mixin
    private final CountOptions counting = new CountOptions();

    public ShowPolicyCommand(CommandContext shell, Scope scope) {
        this.shell = shell;
        this.scope = scope;
    }

    @Override
    public Integer call() {
        GateKey key = new GateKey(scope, name);
        try (Headgate headgate = shell.open()) {
            Overview overview = counting.read(headgate);
            Map<GateKey, GatePolicy> policies = headgate.policies().all();
            GatePolicy own = policies.get(key);
            Optional<GateView> view = overview.gates().stream()
                    .filter(gate -> gate.key().equals(key))
                    .findFirst();
            if (own != null && key.isPattern()) {
                showPattern(key, own);
            } else if (view.isPresent()) {
                show(
                        view.get(),
                        new GateRows(policies, overview.at()),
                        scope == Scope.GATE ? GateJobs.read(headgate, name) : null,
                        overview);
            } else {
                showUnused(headgate, key, overview, policies);
            }
        }
        return ExitCode.OK;
    }

    private void showPattern(GateKey pattern, GatePolicy policy) {
        if (shell.isJson()) {
            shell.say(GateJson.pattern(pattern, policy));
        } else {
            shell.say("%s covers every %s that begins with '%s', each with limits of its own: %s"
                    .formatted(
                            pattern,
                            scope.text(),
                            pattern.name().substring(0, pattern.name().length() - 1),
                            GateRows.text(policy)));
        }
    }

    private void show(GateView gate, GateRows shape, @Nullable GateJobs jobs, Overview overview) {
        if (shell.isJson()) {
            JsonWriter json = shape.json(gate);
            if (jobs != null) {
                jobs.put(json);
            }
            shell.say(json);
        } else {
            shell.say(shape.table(List.of(gate)));
            if (gate.readings().size() + gate.trials().size() > 0) {
                shell.say("\n");
                shell.say(GateRows.readings(gate));
            }
            GateRows.marginTable(gate).ifPresent(margins -> {
                shell.say("\n");
                shell.say(margins);
                shell.say("\n");
                shape.lagLines(gate).forEach(shell::say);
            });
            if (jobs != null) {
                show(jobs, overview.at());
            }
        }
    }

    private void show(GateJobs jobs, Instant now) {
        if (!jobs.holders().isEmpty()) {
            shell.say("\n");
            shell.say(GateJobRows.holders(jobs, now));
        }
        if (!jobs.next().isEmpty()) {
            shell.say("\n");
            shell.say(GateJobRows.next(jobs, now));
        }
        if (!jobs.isAll()) {
            shell.say(GateJobRows.more(jobs));
        }
    }

    /** No row yet: a pattern covers it, or only jobs name it, or it is not known at all. */
    private void showUnused(Headgate headgate, GateKey key, Overview overview, Map<GateKey, GatePolicy> policies) {
        Optional<GateKey> cover = GateJson.cover(key, policies.keySet());
        KnownNames known = new KnownNames(overview, policies.keySet());
        GateJobs jobs = scope == Scope.GATE ? GateJobs.read(headgate, name) : null;
        boolean isKnown = jobs == null
                ? known.queues().contains(name)
                : !headgate.page(JobFilter.all().gate(name).limit(1)).jobs().isEmpty();
        if (cover.isEmpty() && !isKnown) {
            var names = scope == Scope.QUEUE ? known.queues() : known.gates();
            throw CommandException.bad("%s '%s': no job or policy of this store names it%s%s"
                    .formatted(
                            scope.text(),
                            name,
                            overview.gates().size() >= StatusCommand.GATES_MAX
                                    ? " among the first %d".formatted(StatusCommand.GATES_MAX)
                                    : "",
                            NearestName.hint(name, names)));
        }
        GatePolicy policy = cover.map(policies::get).orElse(GatePolicy.OPEN);
        show(
                new GateView(
                        key,
                        policy.text(),
                        null,
                        0,
                        0,
                        List.of(),
                        List.of(),
                        List.of(),
                        Line.NONE,
                        null,
                        null,
                        Lag.NONE),
                new GateRows(policies, overview.at()),
                jobs,
                overview);
        if (cover.isEmpty() && scope == Scope.GATE && !shell.isJson()) {
            shell.say("no policy covers it, so it lets everything pass; its jobs: headgate jobs --gate %s"
                    .formatted(name));
        }
    }
}
