package dev.headgate.cli.top;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.Signals;
import dev.headgate.cli.jobs.ExplainCommand;
import dev.headgate.job.JobId;
import dev.headgate.limit.Pause;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Asks the store on a thread of its own, so that keys are heard while it answers: a picture now and then, and what a key wants.
 * It rests ten times as long as a reading took, so that looking costs a tenth of a connection at most, however large the store is.
 */
final class StoreReader {
    private static final int REST = 10;

    private final CommandContext shell;
    private final Headgate headgate;
    private final Duration every;
    private final Signature signature;
    private final Consumer<News> listener;
    private final BlockingQueue<View.Wish> wishes = new LinkedBlockingQueue<>();

    /** Who pauses, and why. */
    record Signature(String author, String reason) {}

    /** What the store has told. */
    sealed interface News {
        record Read(Reading reading, Duration took) implements News {}

        record Text(List<String> lines) implements News {}

        record Said(String words) implements News {}
    }

    StoreReader(CommandContext shell, Headgate headgate, Duration every, Signature signature, Consumer<News> listener) {
        this.shell = shell;
        this.headgate = headgate;
        this.every = every;
        this.signature = signature;
        this.listener = listener;
    }

    void start() {
        Thread.ofPlatform().daemon().name("headgate-top-store").start(this::run);
    }

    void wish(View.Wish wish) {
        wishes.add(wish);
    }

    private void run() {
        try {
            View.Wish wish = new View.Wish.Refresh();
            long rest = 0;
            while (true) {
                if (wish == null || wish instanceof View.Wish.Refresh) {
                    rest = read();
                } else {
                    said(wish);
                }
                wish = wishes.poll(rest, TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    /** Reads a picture and answers for how many nanoseconds to rest. */
    private long read() {
        long start = System.nanoTime();
        try {
            Reading reading = Reading.of(headgate);
            long took = System.nanoTime() - start;
            listener.accept(new News.Read(reading, Duration.ofNanos(took)));
            return rest(every, took);
        } catch (RuntimeException failed) {
            // Whatever it is, the picture must not stand still without a word; the next look may succeed.
            listener.accept(new News.Said("%s; this is the last picture".formatted(reason(failed))));
            return rest(every, System.nanoTime() - start);
        }
    }

    static long rest(Duration every, long tookNanos) {
        return Math.max(every.toNanos(), REST * tookNanos);
    }

    private void said(View.Wish wish) {
        try {
            switch (wish) {
                case View.Wish.Explain explain -> listener.accept(new News.Text(explained(explain.job())));
                case View.Wish.Switch change ->
                    listener.accept(new News.Said(switched(change.what(), change.isPaused())));
                default -> {}
            }
        } catch (RuntimeException refused) {
            listener.accept(new News.Said(reason(refused)));
        }
        wishes.add(new View.Wish.Refresh());
    }

    private static String reason(RuntimeException failed) {
        return Objects.requireNonNullElse(failed.getMessage(), failed.toString());
    }

    private List<String> explained(JobId job) {
        StringWriter text = new StringWriter();
        Map<String, String> environment = new HashMap<>(shell.environment());
        CommandContext page = new CommandContext(
                new PrintWriter(text), shell.err(), InputStream.nullInputStream(), environment, Signals.NONE);
        ExplainCommand.print(page, headgate.explain(job));
        return text.toString().lines().toList();
    }

    private String switched(Pause what, boolean isPaused) {
        try (Headgate changing = shell.openToChange()) {
            if (isPaused) {
                changing.controls().by(signature.author()).resume(what);
                return "%s: resumed".formatted(what);
            }
            changing.controls().by(signature.author()).pause(what, signature.reason());
            return "%s: paused; what runs goes on".formatted(what);
        }
    }
}
