package dev.headgate.cli.demo;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.CommandException;
import dev.headgate.cli.ExitCode;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows limits holding: three tenants, and one provider that answers 429 to each call beyond its limits. */
@Command(
        name = "demo",
        description = "Call a provider that pushes back, for three tenants at once, and show that no limit breaks.",
        footer = {
            "",
            "Starts a web server on this machine that allows 20 calls in any second and 5 at once, counted when they",
            "arrive, and answers 429 beyond. The gates have the same figures. Runs calls through a store in a temporary",
            "file (--store keeps it elsewhere), and ends with what the provider saw and the share of the allowed rate",
            "that was used. Takes about 15 seconds. Exit code 0 only if every limit held and every call succeeded."
        })
public final class DemoCommand implements Callable<Integer> {
    private final CommandContext shell;
    private final AtomicInteger signalled = new AtomicInteger();

    @Option(names = "--jobs", paramLabel = "N", description = "how many calls in all; 280 if not given")
    private int jobs = 280;

    public DemoCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        shell.sayNothingMeanwhile();
        if (jobs < Tenant.CALLS_MIN || jobs > Tenant.CALLS_MAX) {
            throw CommandException.usage(
                    "--jobs: expected %d to %d, got %d".formatted(Tenant.CALLS_MIN, Tenant.CALLS_MAX, jobs));
        }
        Thread main = Thread.currentThread();
        shell.signals().onFirst(exit -> {
            signalled.set(exit);
            main.interrupt();
        });
        String kept = shell.storeGiven();
        if (kept != null) {
            return run(kept);
        }
        Path folder = Files.createTempDirectory("headgate-demo");
        try {
            return run("jdbc:sqlite:" + folder.resolve("demo.db"));
        } finally {
            delete(folder);
        }
    }

    private int run(String url) throws IOException, InterruptedException {
        List<Tenant> tenants = Tenant.share(jobs);
        try (Provider provider = new Provider();
                Headgate headgate =
                        shell.storeGiven() == null ? Headgate.open(url) : shell.openOrCreate(url, imagined -> {});
                DemoRun run = new DemoRun(headgate, provider, tenants)) {
            refuseForeignLimits(headgate);
            introduce();
            run.start();
            DemoResult outcome = follow(run, headgate, provider, tenants);
            tell(outcome);
            return outcome.isGood() ? ExitCode.OK : ExitCode.BAD;
        } catch (InterruptedException | RuntimeException stopped) {
            // After the signal, errors of the store only follow from it.
            if (signalled.get() == 0) {
                throw stopped;
            }
            shell.note("stopped before the end");
            return signalled.get();
        }
    }

    private void introduce() {
        if (shell.isJson()) {
            return;
        }
        shell.say("A provider allows %d calls in any second and %d at once, and answers 429 beyond."
                .formatted(Provider.IN_WINDOW, Provider.AT_ONCE));
        shell.say("Three tenants call it through two gates, with the same figures:");
        DemoRun.GATES.forEach(name ->
                shell.say("  %-10s %s".formatted(name, DemoRun.policy(name).text())));
    }

    /** Shows progress until the last call, and once, when a fifth is done, asks why a job waits. */
    private DemoResult follow(DemoRun run, Headgate headgate, Provider provider, List<Tenant> tenants)
            throws InterruptedException {
        long giveUpAt = System.nanoTime()
                + Duration.ofSeconds(30 + 3L * jobs / Provider.IN_WINDOW).toNanos();
        String explained = "";
        try (DemoProgress progress = new DemoProgress(shell, headgate, provider, run, tenants)) {
            while (!run.await(progress.interval())) {
                if (System.nanoTime() > giveUpAt) {
                    shell.note("headgate: the demo takes far longer than it should; giving up");
                    break;
                }
                if (explained.isEmpty() && provider.witness().calls() >= jobs / 5) {
                    explained = run.explain();
                    progress.explain(explained);
                }
                progress.show();
            }
            DemoResult outcome = run.outcome(explained);
            progress.show();
            return outcome;
        }
    }

    private void tell(DemoResult outcome) {
        if (shell.isJson()) {
            shell.say(outcome.json());
            return;
        }
        shell.say("");
        shell.say(outcome.limits());
        shell.say("");
        shell.say(outcome.waits());
        shell.say("");
        shell.say(outcome.verdict());
    }

    /** The demo may run on a store of the user's own, but must not change the limits in it. */
    private static void refuseForeignLimits(Headgate headgate) {
        for (String name : DemoRun.GATES) {
            GatePolicy stored = headgate.policies().all().get(GateKey.gate(name));
            if (stored != null && !stored.equals(DemoRun.policy(name))) {
                throw CommandException.bad(
                        "the store has limits of its own for gate %s (%s), which the demo would replace; name another --store"
                                .formatted(name, stored.text()));
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.deleteIfExists(file);
            }
        }
        Files.deleteIfExists(folder);
    }
}
