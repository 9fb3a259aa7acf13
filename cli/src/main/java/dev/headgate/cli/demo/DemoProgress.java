package dev.headgate.cli.demo;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.display.Columns;
import dev.headgate.cli.display.ProgressLine;
import dev.headgate.cli.display.Screen;
import dev.headgate.cli.display.Wording;
import dev.headgate.limit.GateKey;
import dev.headgate.status.Overview;
import dev.headgate.status.Overview.GateView;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shows the progress of a run: bars in a terminal, a line a second in a pipe. */
final class DemoProgress implements AutoCloseable {
    private static final Duration REDRAW_EVERY = Duration.ofMillis(100);
    private static final Duration LINE_EVERY = Duration.ofSeconds(1);
    private static final int NAME_COLUMNS = 23;
    private static final int GATE_COLUMNS = 29;
    private static final int BAR_COLUMNS = 36;

    private final Headgate headgate;
    private final Provider provider;
    private final DemoRun run;
    private final List<Tenant> tenants;
    private final PrintWriter lines;
    private final @Nullable Screen screen;
    private final int columns;
    private final long startedAt = System.nanoTime();
    private String explained = "";

    /** With JSON, standard output is for the document alone and the lines go to standard error. */
    DemoProgress(CommandContext shell, Headgate headgate, Provider provider, DemoRun run, List<Tenant> tenants) {
        this.headgate = headgate;
        this.provider = provider;
        this.run = run;
        this.tenants = tenants;
        this.lines = shell.isJson() ? shell.err() : shell.out();
        this.columns = shell.terminal().columns();
        boolean isLive = shell.terminal().isLive() && !shell.isJson();
        this.screen = isLive ? new Screen(shell.out(), shell.terminal()) : null;
    }

    Duration interval() {
        return screen == null ? LINE_EVERY : REDRAW_EVERY;
    }

    /** Shows why a job waits, from now on. */
    void explain(String why) {
        explained = why;
        if (screen == null) {
            lines.println("why does it wait? " + why);
            lines.flush();
        }
    }

    void show() {
        Overview overview = headgate.overview();
        if (screen != null) {
            screen.draw(picture(overview));
        } else {
            lines.println(line(overview));
            lines.flush();
        }
    }

    private Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - startedAt);
    }

    private static @Nullable GateView gate(Overview overview, String name) {
        return overview.gates().stream()
                .filter(gate -> gate.key().equals(GateKey.gate(name)))
                .findFirst()
                .orElse(null);
    }

    private String line(Overview overview) {
        StringBuilder line = new StringBuilder(Columns.right(Wording.span(elapsed()), 7));
        for (Tenant tenant : tenants) {
            line.append("  %s %d/%d".formatted(tenant.name(), run.done(tenant), tenant.calls()));
        }
        GateView gate = gate(overview, DemoRun.PROVIDER);
        if (gate != null) {
            line.append("  provider %d of %d at once, %s waiting"
                    .formatted(
                            gate.leases(),
                            Provider.AT_ONCE,
                            Wording.count(gate.line().lanes(), "lane")));
        }
        CallLog witness = provider.witness();
        return line.append(", %d in the last second, %d x 429".formatted(lately(witness), witness.refused()))
                .toString();
    }

    private List<ProgressLine> picture(Overview overview) {
        List<ProgressLine> picture = new ArrayList<>();
        picture.add(new ProgressLine());
        picture.add(gateLine(gate(overview, DemoRun.PROVIDER), DemoRun.PROVIDER, Provider.AT_ONCE));
        for (Tenant tenant : tenants) {
            picture.add(gateLine(gate(overview, tenant.gate()), tenant.gate(), DemoRun.TENANT_AT_ONCE));
        }
        picture.add(new ProgressLine());
        for (Tenant tenant : tenants) {
            int done = run.done(tenant);
            picture.add(new ProgressLine()
                    .add(Columns.left("  " + tenant.name(), NAME_COLUMNS))
                    .bar(done, tenant.calls(), BAR_COLUMNS, ProgressLine.GREEN)
                    .add("  %d of %d".formatted(done, tenant.calls())));
        }
        CallLog witness = provider.witness();
        long lately = lately(witness);
        picture.add(new ProgressLine());
        picture.add(new ProgressLine()
                .add(Columns.left("  at the provider", NAME_COLUMNS))
                .bar(lately, Provider.IN_WINDOW, BAR_COLUMNS, ProgressLine.YELLOW)
                .add("  %d of %d in the last second".formatted(lately, Provider.IN_WINDOW)));
        picture.add(new ProgressLine()
                .add("  the provider saw %s, answered 429 to ".formatted(Wording.count(witness.calls(), "call")))
                .add(
                        Long.toString(witness.refused()),
                        witness.refused() == 0 ? ProgressLine.GREEN : ProgressLine.YELLOW)
                .add("; %s".formatted(Wording.span(elapsed()))));
        if (!explained.isEmpty()) {
            picture.add(new ProgressLine());
            picture.add(new ProgressLine().add("  why does it wait?", ProgressLine.DIM));
            Columns.wrap(explained, columns - 4)
                    .forEach(part -> picture.add(new ProgressLine().add("  " + part, ProgressLine.CYAN)));
        }
        return picture;
    }

    private static long lately(CallLog witness) {
        return witness.accepted(System.nanoTime());
    }

    private static ProgressLine gateLine(@Nullable GateView gate, String name, int atOnce) {
        long leases = gate == null ? 0 : gate.leases();
        ProgressLine line = new ProgressLine()
                .add(Columns.left("  gate " + name, NAME_COLUMNS))
                .bar(leases, atOnce, atOnce * 2, ProgressLine.CYAN)
                .add(Columns.left("  %d of %d in use".formatted(leases, atOnce), GATE_COLUMNS - atOnce * 2));
        return gate == null || gate.line().lanes() == 0
                ? line
                : line.add("  %s in line".formatted(Wording.count(gate.line().lanes(), "lane")));
    }

    @Override
    public void close() {
        if (screen != null) {
            screen.close();
        }
    }
}
