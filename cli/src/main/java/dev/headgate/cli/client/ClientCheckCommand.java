package dev.headgate.cli.client;

import dev.headgate.cli.CommandContext;
import dev.headgate.cli.CommandException;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.display.Table;
import dev.headgate.internal.json.JsonWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Plays the server to a worker in any language, and says what the worker does wrong. */
@Command(
        name = "client-check",
        description = "Play the server to a worker in any language, and say what the worker does wrong.",
        footer = {
            "",
            "Runs COMMAND once for each check, against a server that loses answers, delays them, refuses and goes away.",
            "Needs no store. HEADGATE_URL and HEADGATE_TOKEN say where the server is, or {url} and {token} in COMMAND.",
            "",
            "COMMAND is a worker of queue 'check' with 4 slots, a lease of 3 s and a handler of type 'check', which",
            "  sleeps for the payload's 'ms' milliseconds, and ends early if it is asked to stop,",
            "  logs the payload's 'log', fails with its 'fail', and else returns its 'value'.",
            "",
            "Exit code 0 only if the client passes every check.",
            "",
            "Examples:",
            "  headgate client-check -- python3 clients/python/conformance.py",
            "  headgate client-check --only late-start,lost-answer -- node my-worker.mjs {url} {token}"
        })
public final class ClientCheckCommand implements Callable<Integer> {
    private static final int AT_ONCE_MAX = 64;

    private final CommandContext shell;

    @Option(names = "--only", split = ",", paramLabel = "NAME", description = "play only these checks")
    private List<String> only = new ArrayList<>();

    @Option(names = "--at-once", paramLabel = "N", description = "how many checks are played at once. Default: 4")
    private int atOnce = 4;

    @Parameters(arity = "1..*", paramLabel = "COMMAND", description = "the worker, and its arguments; put -- in front")
    private List<String> command = new ArrayList<>();

    public ClientCheckCommand(CommandContext shell) {
        this.shell = shell;
    }

    /** A check and what came of it. */
    private record Played(ClientCheck check, @Nullable String found) {
        boolean isGood() {
            return found == null;
        }

        JsonWriter json() {
            return JsonWriter.object()
                    .put("check", check.name())
                    .put("passed", isGood())
                    .put("expected", check.expected())
                    .put("found", found);
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        List<ClientCheck> checks = chosen();
        if (atOnce < 1 || atOnce > AT_ONCE_MAX) {
            throw CommandException.usage("--at-once: expected 1 to %d, got %d".formatted(AT_ONCE_MAX, atOnce));
        }
        List<Played> played = play(checks);
        long bad = played.stream().filter(each -> !each.isGood()).count();
        if (shell.isJson()) {
            shell.say(JsonWriter.object()
                    .put("passed", bad == 0)
                    .put("checks", played.stream().map(Played::json).toList()));
        } else {
            Table table = new Table("CHECK", "", "EXPECTED, AND WHAT WAS FOUND INSTEAD").wrapping();
            played.forEach(each -> table.row(
                    each.check().name(),
                    each.isGood() ? "ok" : "WRONG",
                    each.isGood() ? each.check().expected() : each.check().expected() + "; found " + each.found()));
            shell.say(table);
            shell.say("%d of %d checks passed".formatted(played.size() - bad, played.size()));
        }
        return bad == 0 ? ExitCode.OK : ExitCode.BAD;
    }

    private List<ClientCheck> chosen() {
        List<ClientCheck> all = Stream.concat(WorkChecks.all().stream(), TroubleChecks.all().stream())
                .toList();
        List<String> names = all.stream().map(ClientCheck::name).toList();
        only.stream().filter(name -> !names.contains(name)).findFirst().ifPresent(name -> {
            throw CommandException.usage(
                    "--only: expected any of %s, got '%s'".formatted(String.join(", ", names), name));
        });
        return all.stream()
                .filter(check -> only.isEmpty() || only.contains(check.name()))
                .toList();
    }

    private List<Played> play(List<ClientCheck> checks) throws InterruptedException {
        try (ExecutorService plays = Executors.newFixedThreadPool(atOnce)) {
            List<Future<Played>> all = checks.stream()
                    .map(check -> plays.submit(() -> play(check)))
                    .toList();
            List<Played> played = new ArrayList<>();
            for (Future<Played> each : all) {
                played.add(each.get());
                shell.doing("%d of %d checks played".formatted(played.size(), checks.size()));
            }
            return played;
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof IOException none) {
                throw CommandException.usage("COMMAND: expected a program that can be started, got '%s': %s"
                        .formatted(String.join(" ", command), none.getMessage()));
            }
            throw new IllegalStateException(failed.getCause());
        }
    }

    private Played play(ClientCheck check) throws IOException, InterruptedException {
        try (Stage stage = new Stage(command)) {
            check.script().play(stage);
            stage.checkFaults();
            return new Played(check, null);
        } catch (ClientFault fault) {
            return new Played(check, fault.found());
        }
    }
}
