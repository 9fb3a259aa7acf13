package dev.headgate.cli.jobs;

import dev.headgate.Enqueued;
import dev.headgate.Headgate;
import dev.headgate.builtin.HttpJob;
import dev.headgate.builtin.ShellJob;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.CommandException;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.display.Wording;
import dev.headgate.cli.policies.NameChecks;
import dev.headgate.internal.json.JsonCodec;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.internal.text.Names;
import dev.headgate.internal.text.NearestName;
import dev.headgate.limit.GateKey;
import dev.headgate.server.api.GateJson;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Stores jobs and prints their numbers. */
@Command(
        name = "enqueue",
        description = "Store a job, or many, and print their numbers.",
        synopsisHeading = "",
        customSynopsis = {
            "Usage: headgate enqueue TYPE [JSON] [OPTIONS]",
            "       headgate enqueue http URL [-X METHOD] [-H HEADER] [-d BODY] [OPTIONS]",
            "       headgate enqueue shell [OPTIONS] -- COMMAND …",
            "       headgate enqueue [TYPE] --from FILE [OPTIONS]",
            ""
        },
        footer = {
            "",
            "'headgate work' runs these types: noop, echo (returns its payload), sleep {\"ms\":500},",
            "fail {\"message\":\"…\",\"times\":2}, and if allowed http and shell; see 'headgate help job-types'.",
            "Other types need a worker of your own.",
            "",
            "Examples:",
            "  headgate enqueue echo '{\"hello\":1}' --gate tenant:acme --gate api",
            "  headgate enqueue sleep '{\"ms\":200}' --count 50 --queue slow",
            "  headgate enqueue http https://api.example.com/v1/things -d '{\"n\":1}' --gate api",
            "  headgate enqueue shell --queue chores --timeout 10m -- rsync -a in/ out/",
            "  headgate enqueue echo --file payloads.jsonl --delay 10m",
            "  headgate enqueue --from jobs.jsonl --dry-run"
        })
public final class EnqueueCommand implements Callable<Integer> {
    private static final int LISTED_MAX = 20;

    private final CommandContext shell;
    private final JsonCodec codec = new JsonCodec();
    private final BuiltInPayloadCheck known = new BuiltInPayloadCheck(codec);

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "TYPE",
            description = "the job type, by which a worker finds its handler")
    private @Nullable String type;

    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "JSON",
            description = "the payload, {} if not given; for http a URL, for shell a command")
    private List<String> words = List.of();

    @Option(names = "--count", paramLabel = "N", description = "so many jobs with this payload")
    private @Nullable Integer count;

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description = "one job for each line of a file of payloads in JSON; - reads standard input")
    private @Nullable Path file;

    @ArgGroup(validate = false, heading = "%nFrom a file of whole jobs:%n")
    private LoadOptions load = new LoadOptions();

    @ArgGroup(validate = false, heading = "%nOf an http job:%n")
    private HttpOptions http = new HttpOptions();

    @ArgGroup(validate = false, heading = "%nOf a shell job:%n")
    private ShellOptions command = new ShellOptions();

    @Mixin
    private JobEnqueueOptions choices = new JobEnqueueOptions();

    public EnqueueCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() throws IOException {
        refuseForeignOptions();
        if (load.isUsed()) {
            return fromFile();
        }
        if (type == null) {
            throw CommandException.usage(
                    "enqueue: expected a job type or --from FILE, got neither; see 'headgate enqueue --help'");
        }
        String name = Names.check("job type", type);
        boolean isMany = count != null || file != null;
        if (isMany && choices.hasDedup()) {
            throw CommandException.usage(
                    "--dedup: expected one job, got --count or --file; only one live job can carry a key");
        }
        String json = file == null ? payload(name) : "";
        try (Payloads payloads = payloads(name, json);
                Headgate headgate = shell.openOrCreate(imagined -> imagine(imagined, name, json))) {
            warnIfOpen(headgate);
            NameChecks.remarkOnType(headgate, name).ifPresent(shell::note);
            tell(isMany ? many(headgate, name, payloads) : one(headgate, name, json));
        }
        return ExitCode.OK;
    }

    private void refuseForeignOptions() {
        if (http.isUsed() && !HttpJob.TYPE.name().equals(type)) {
            throw CommandException.usage("enqueue: expected the type http for an option such as -X, -H or -d, got %s"
                    .formatted(type == null ? "none" : "'" + type + "'"));
        }
        if (command.isUsed() && !ShellJob.TYPE.name().equals(type)) {
            throw CommandException.usage(
                    "enqueue: expected the type shell for an option such as --script or --env, got %s"
                            .formatted(type == null ? "none" : "'" + type + "'"));
        }
    }

    private int fromFile() throws IOException {
        if (!words.isEmpty() || count != null || file != null || http.isUsed() || command.isUsed()) {
            throw CommandException.usage("--from: expected no payload, --count or --file beside it, got one");
        }
        if (choices.hasDedup()) {
            throw CommandException.usage("--dedup: expected one job, got --from; put the key of each job on its line");
        }
        try (JobFile lines = load.open(shell.in())) {
            JobFileLoad loading = load.loading(shell, lines, new JobLine(type, choices::apply));
            boolean isThere = shell.hasStore();
            if (!isThere) {
                loading.check(null); // before one is created
            }
            if (load.isDryRun()) {
                return isThere ? checkOnly(loading) : loading.tellOnly();
            }
            try (Headgate headgate = shell.openOrCreate(imagined -> {})) {
                if (isThere) {
                    loading.check(headgate);
                }
                warnIfOpen(headgate);
                return loading.store(headgate);
            }
        }
    }

    private int checkOnly(JobFileLoad loading) throws IOException {
        try (Headgate headgate = shell.open()) {
            loading.check(headgate);
        }
        return loading.tellOnly();
    }

    /** The payload of the one job, or of all if they are alike; checked, so that nothing wrong is stored. */
    private String payload(String name) {
        return known.check("payload of '%s'".formatted(name), name, unchecked(name));
    }

    private String unchecked(String name) {
        boolean isBuiltIn = name.equals(HttpJob.TYPE.name()) || name.equals(ShellJob.TYPE.name());
        boolean isJson = words.size() == 1 && words.getFirst().stripLeading().startsWith("{");
        if (!isBuiltIn || (isJson && !http.isUsed() && !command.isUsed())) {
            refuseBeyond(1);
            return words.isEmpty() ? "{}" : words.getFirst();
        }
        TextOption given = new TextOption(shell.in());
        if (name.equals(ShellJob.TYPE.name())) {
            return command.payload(words, given, codec);
        }
        if (words.isEmpty()) {
            throw CommandException.usage("enqueue http: expected a URL, got none");
        }
        refuseBeyond(1);
        return http.payload(words.getFirst(), choices, given, codec);
    }

    private void refuseBeyond(int most) {
        if (words.size() > most) {
            throw CommandException.usage("expected no further argument, got '%s'".formatted(words.get(most)));
        }
    }

    /** Reads and checks everything before anything is stored. */
    private Payloads payloads(String name, String json) throws IOException {
        if (file == null) {
            return Payloads.repeated(json, count == null ? 1 : count);
        }
        if (count != null || !words.isEmpty() || http.isUsed() || command.isUsed()) {
            throw CommandException.usage("--file: expected no payload and no --count beside it, got one");
        }
        return Payloads.of(
                file.toString(),
                shell.in(),
                (line, text) -> known.check("%s, line %d: payload of '%s'".formatted(file, line, name), name, text));
    }

    private List<Enqueued> one(Headgate headgate, String name, String json) {
        Enqueued enqueued = headgate.enqueueJson(name, json, choices::apply);
        if (!enqueued.isNew()) {
            shell.note("job %s lives and carries this dedup key; nothing was added".formatted(enqueued.id()));
        }
        return List.of(enqueued);
    }

    /** What comes from a file has been read and checked; the options are the same for all. */
    private void imagine(Headgate imagined, String name, String json) {
        imagined.enqueueJson(name, json.isEmpty() ? "{}" : json, choices::apply);
    }

    private List<Enqueued> many(Headgate headgate, String name, Payloads payloads) throws IOException {
        List<Enqueued> jobs = new BulkEnqueue(shell, headgate, name, choices::apply).enqueue(payloads);
        long known = jobs.stream().filter(job -> !job.isNew()).count();
        if (known > 0) {
            shell.note(
                    "%s of %s not added, because a live job carries the same dedup key; its number is printed instead"
                            .formatted(known, Wording.count(jobs.size(), "job")));
        }
        return jobs;
    }

    private void tell(List<Enqueued> enqueued) {
        if (shell.isJson()) {
            List<Long> ids = new ArrayList<>();
            enqueued.forEach(job -> ids.add(job.id().value()));
            shell.say(JsonWriter.object()
                    .put("ids", ids)
                    .put("new", enqueued.stream().filter(Enqueued::isNew).count()));
        } else if (shell.terminal().isLive() && enqueued.size() > LISTED_MAX) {
            shell.say("%s: %s to %s"
                    .formatted(
                            Wording.count(enqueued.size(), "job"),
                            enqueued.getFirst().id(),
                            enqueued.getLast().id()));
        } else {
            enqueued.forEach(job -> shell.out().println(job.id()));
        }
    }

    /** A mistyped gate limits nothing, and that stays unnoticed until the 429s come. */
    private void warnIfOpen(Headgate headgate) {
        Set<GateKey> policies = headgate.policies().all().keySet();
        choices.gates().forEach(gate -> warnIfOpen(gate, policies));
    }

    private void warnIfOpen(String gate, Set<GateKey> policies) {
        GateKey key = GateKey.gate(gate);
        if (GateJson.cover(key, policies).isEmpty()) {
            List<String> names = policies.stream()
                    .filter(stored -> stored.scope() == GateKey.Scope.GATE)
                    .map(GateKey::name)
                    .toList();
            shell.note("gate '%s' has no limits yet, so it lets everything pass%s"
                    .formatted(gate, NearestName.names(gate, names).isEmpty() ? "" : NearestName.hint(gate, names)));
        }
    }
}
