package dev.headgate.cli.display;

import dev.headgate.cli.CommandContext;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Shows the progress of a long operation: on standard error, a bar in a terminal, a line every few seconds elsewhere.
 * Shows nothing for what is done within half a second.
 */
public final class ProgressBar implements AutoCloseable {
    private static final long QUIET_NANOS = Duration.ofMillis(500).toNanos();
    private static final long REDRAW_NANOS = Duration.ofMillis(100).toNanos();
    private static final long LINE_NANOS = Duration.ofSeconds(5).toNanos();
    private static final long PACE_NANOS = Duration.ofSeconds(1).toNanos();
    private static final int BAR_COLUMNS = 30;

    private final CommandContext shell;
    private final String verb;
    private final String noun;
    private final long whole;
    private final LongSupplier nanos;
    private final Terminal terminal;
    private final boolean isBar;
    private long told;
    private boolean isShown;
    private long firstPart;
    private long firstNanos;
    private @Nullable Screen screen;

    /** A gauge with text such as {@code checked 20,000 of 50,000 lines}. */
    public ProgressBar(CommandContext shell, String verb, String noun, long whole) {
        this(shell, verb, noun, whole, System::nanoTime);
    }

    ProgressBar(CommandContext shell, String verb, String noun, long whole, LongSupplier nanos) {
        this.shell = shell;
        this.verb = verb;
        this.noun = noun;
        this.whole = whole;
        this.nanos = nanos;
        this.terminal = Terminal.ofErrors(shell.environment());
        this.isBar = terminal.isLive();
        this.told = nanos.getAsLong() + QUIET_NANOS - (isBar ? REDRAW_NANOS : LINE_NANOS);
    }

    public void show(long part) {
        long now = nanos.getAsLong();
        if (!isShown) {
            isShown = true;
            firstPart = part;
            firstNanos = now;
        }
        if (now - told < (isBar ? REDRAW_NANOS : LINE_NANOS)) {
            return;
        }
        told = now;
        draw(part, now);
    }

    private void draw(long part, long now) {
        shell.sayNothingMeanwhile();
        String figures = "%s %,d of %s%s".formatted(verb, part, Wording.count(whole, noun), pace(part, now));
        if (!isBar) {
            shell.note(figures);
            return;
        }
        if (screen == null) {
            screen = new Screen(shell.err(), terminal);
        }
        screen.draw(List.of(new ProgressLine()
                .bar(part, whole, BAR_COLUMNS, ProgressLine.GREEN)
                .add("  " + figures)));
    }

    /**
     * Counted from the first part that was shown, because the time before is preparation, and over a second at least.
     */
    private String pace(long part, long now) {
        long done = part - firstPart;
        if (done <= 0 || now - firstNanos < PACE_NANOS) {
            return "";
        }
        long millis = (now - firstNanos) / 1_000_000;
        Duration left = Duration.ofMillis(millis * (whole - part) / done);
        return ", %,d a second%s"
                .formatted(done * 1_000 / millis, part < whole ? ", %s left".formatted(Wording.span(left)) : "");
    }

    /** Leaves a full bar if there was one. */
    public void done() {
        if (screen != null) {
            draw(whole, nanos.getAsLong());
        }
    }

    @Override
    public void close() {
        if (screen != null) {
            screen.close();
        }
    }
}
