package dev.headgate.cli.policies;

import dev.headgate.Headgate;
import dev.headgate.Policies;
import dev.headgate.PolicyBuilder;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.TimeOption;
import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.policy.PolicyEntry;
import dev.headgate.server.api.MarginNotes;
import dev.headgate.server.api.PolicyJson;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Limits to store, to last or for a time: what {@code gate set}, {@code queue set} and {@code policy set} share. */
public final class LimitOptions {
    private static final Pattern KIND = Pattern.compile(
            "(?<!\\bshadow)[\\s;]+(concurrency|budget|adaptive|rate|window|spaced|delay|quota|shadow|back-off|backlog|fair|weight|journal|retention|requires|defaults)\\s",
            Pattern.CASE_INSENSITIVE);

    @Option(
            names = "--until",
            paramLabel = "TIME",
            description = "only for a time: a span such as 2h, or a date; then what is stored is back in force")
    private @Nullable TimeOption until;

    @Mixin
    private ChangeAuthor signature = new ChangeAuthor();

    /** Without quotes a limit comes as several words: each limit begins with its kind. */
    private static String text(List<String> limits) {
        boolean isQuoted = limits.stream().allMatch(limit -> limit.strip().indexOf(' ') > 0);
        return isQuoted
                ? String.join("; ", limits)
                : KIND.matcher(String.join(" ", limits)).replaceAll("; $1 ");
    }

    /** Stores the limits and prints the stored policy, and the margin of each limit over time. */
    public int set(CommandContext shell, GateKey key, List<String> limits) {
        String text = text(limits);
        Consumer<PolicyBuilder> policy = builder -> {
            builder.limits(text);
            switch (until) {
                case null -> {}
                case TimeOption.In(var span) -> builder.until(span);
                case TimeOption.At(var instant) -> builder.until(instant);
            }
        };
        Consumer<Policies> change = policies -> {
            switch (key.scope()) {
                case QUEUE -> policies.queue(key.name(), policy);
                case GATE -> policies.gate(key.name(), policy);
                case TYPE -> policies.type(key.name(), policy);
            }
        };
        try (Headgate headgate = shell.openOrCreate(imagined -> change.accept(signature.on(imagined)))) {
            Policies policies = signature.on(headgate).replacing();
            GatePolicy before = inForce(policies, key);
            change.accept(policies);
            PolicyEntry stored = policies.entries().getOrDefault(key, PolicyEntry.NOTHING);
            noteDropped(shell, policies, key, stored);
            if (shell.isJson()) {
                shell.say(PolicyJson.of(key, stored));
            } else {
                var override = stored.override();
                shell.say("%s: %s"
                        .formatted(key, PolicyCommand.limits(stored.lasting().text())));
                if (override != null) {
                    shell.say("until %s: %s"
                            .formatted(override.ends(), override.policy().text()));
                }
                MarginNotes.of(override == null ? stored.lasting() : override.policy())
                        .forEach(margin -> shell.say("  " + margin.line()));
                if (before.options().journal() != null
                        && inForce(policies, key).options().journal() == null) {
                    shell.say("  the journal of %s ends: the new policy has no 'journal'".formatted(key));
                }
            }
        }
        return ExitCode.OK;
    }

    private static void noteDropped(CommandContext shell, Policies policies, GateKey key, PolicyEntry stored) {
        if (key.scope() != GateKey.Scope.TYPE) {
            var override = stored.override();
            GatePolicy own = override == null ? stored.lasting() : override.policy();
            PatternLimits.dropped(key, own, policies.all()).ifPresent(shell::note);
        }
    }

    private static GatePolicy inForce(Policies policies, GateKey key) {
        return PolicyBook.of(policies.version(), policies.entries()).policyFor(key);
    }
}
