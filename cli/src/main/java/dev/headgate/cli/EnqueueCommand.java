package dev.headgate.cli;

import dev.headgate.Enqueued;
import dev.headgate.Headgate;
import dev.headgate.admission.GateKey;
import dev.headgate.cli.text.Json;
import dev.headgate.cli.text.Near;
import dev.headgate.cli.text.Spoken;
import dev.headgate.codec.JsonCodec;
import dev.headgate.job.Names;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Stores jobs and prints their numbers. */
@Command(
        name = "enqueue",
        description = "Store a job, or many, and print their numbers.",
        footer = {
            "",
            "'headgate work' runs these types: noop, echo (returns its payload), sleep {\"ms\":500},",
            "fail {\"message\":\"…\",\"times\":2}. Other types need a worker of your own.",
            "",
            "Examples:",
            "  headgate enqueue echo '{\"hello\":1}' --gate tenant:acme --gate api",
            "  headgate enqueue sleep '{\"ms\":200}' --count 50 --queue slow",
            "  headgate enqueue echo --file payloads.jsonl --delay 10m"
        })
final class EnqueueCommand implements Callable<Integer> {
    private static final int LISTED_MAX = 20;

    private final Shell shell;

    @Parameters(index = "0", paramLabel = "TYPE", description = "the job type, by which a worker finds its handler")
    private String type = "";

    @Parameters(index = "1", arity = "0..1", paramLabel = "JSON", description = "the payload; {} if not given")
    private @Nullable String json;

    @Option(names = "--count", paramLabel = "N", description = "so many jobs with this payload")
    private @Nullable Integer count;

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description = "one job for each line of a file of JSON lines; - reads standard input")
    private @Nullable String file;

    @Mixin
    private JobChoices choices = new JobChoices();

    EnqueueCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() throws IOException {
        Names.check("job type", type);
        boolean isMany = count != null || file != null;
        if (isMany && choices.hasDedup()) {
            throw Complaint.usage(
                    "--dedup: expected one job, got --count or --file; only one live job can carry a key");
        }
        try (Payloads payloads = payloads();
                Headgate headgate = shell.openOrCreate()) {
            Set<GateKey> policies = headgate.policies().all().keySet();
            choices.gates().forEach(gate -> warnIfOpen(gate, policies));
            tell(isMany ? many(headgate, payloads) : one(headgate));
        }
        return Exit.OK;
    }

    /** Reads and checks everything before anything is stored. */
    private Payloads payloads() throws IOException {
        JsonCodec codec = new JsonCodec();
        String what = "payload of '%s'".formatted(type);
        if (file == null) {
            return Payloads.repeated(codec.check(what, payload()), count == null ? 1 : count);
        }
        if (count != null || json != null) {
            throw Complaint.usage("--file: expected no payload and no --count beside it, got one");
        }
        return Payloads.of(
                file, shell.in(), (line, text) -> codec.check("%s, line %d: %s".formatted(file, line, what), text));
    }

    private String payload() {
        return json == null ? "{}" : json;
    }

    private List<Enqueued> one(Headgate headgate) {
        Enqueued enqueued = headgate.enqueueJson(type, payload(), choices::apply);
        if (!enqueued.isNew()) {
            shell.note("job %s lives and carries this dedup key; nothing was added".formatted(enqueued.id()));
        }
        return List.of(enqueued);
    }

    private List<Enqueued> many(Headgate headgate, Payloads payloads) throws IOException {
        return new Bulk(shell, headgate, type, choices::apply).enqueue(payloads);
    }

    private void tell(List<Enqueued> enqueued) {
        if (shell.isJson()) {
            List<Long> ids = new ArrayList<>();
            enqueued.forEach(job -> ids.add(job.id().value()));
            shell.say(Json.object()
                    .put("ids", ids)
                    .put("new", enqueued.stream().filter(Enqueued::isNew).count()));
        } else if (shell.terminal().isLive() && enqueued.size() > LISTED_MAX) {
            shell.say("%s: %s to %s"
                    .formatted(
                            Spoken.count(enqueued.size(), "job"),
                            enqueued.getFirst().id(),
                            enqueued.getLast().id()));
        } else {
            enqueued.forEach(job -> shell.out().println(job.id()));
        }
    }

    /** A mistyped gate limits nothing, which nobody notices until the 429s come. */
    private void warnIfOpen(String gate, Set<GateKey> policies) {
        GateKey key = GateKey.gate(gate);
        if (GateShape.cover(key, policies).isEmpty()) {
            List<String> names = policies.stream()
                    .filter(stored -> stored.scope() == GateKey.Scope.GATE)
                    .map(GateKey::name)
                    .toList();
            shell.note("gate '%s' has no limits yet, so it lets everything pass%s"
                    .formatted(gate, Near.names(gate, names).isEmpty() ? "" : Near.hint(gate, names)));
        }
    }
}
