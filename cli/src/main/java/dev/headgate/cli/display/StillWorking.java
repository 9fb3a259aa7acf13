package dev.headgate.cli.display;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Says on standard error that a command is still at work, and at what: in a terminal from the first second on, in a line that
 * is drawn over and wiped before the answer comes; elsewhere in a line every five seconds.
 */
public final class StillWorking implements AutoCloseable {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long PLAIN_NANOS = 5 * SECOND;
    private static final String WIPE = "\r\u001b[K";

    private final PrintWriter err;
    private final Terminal terminal;
    private final long start;
    private String words;
    private boolean isDrawn;
    private boolean isOver;

    /**
     * Nothing is said before it is told the time.
     *
     * @param terminal what standard error is
     * @param words what is done, until {@link #doing} knows better
     */
    public StillWorking(PrintWriter err, Terminal terminal, String words, long nanos) {
        this.err = err;
        this.terminal = terminal;
        this.words = words;
        this.start = nanos;
    }

    /** The same with a thread that tells it the time. */
    public static StillWorking started(PrintWriter err, Terminal terminal, String words) {
        StillWorking working = new StillWorking(err, terminal, words, System.nanoTime());
        Thread.ofPlatform().daemon().name("headgate-still-working").start(working::run);
        return working;
    }

    private synchronized void run() {
        long pause = terminal.isLive() ? SECOND : PLAIN_NANOS;
        try {
            while (!isOver) {
                TimeUnit.NANOSECONDS.timedWait(this, pause);
                tick(System.nanoTime());
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    /** What is being done now, such as {@code queued again 12,000 jobs}. */
    public synchronized void doing(String what) {
        words = what;
    }

    synchronized void tick(long now) {
        if (isOver || now - start < (terminal.isLive() ? SECOND : PLAIN_NANOS)) {
            return;
        }
        String line = "… %s, %s".formatted(words, Wording.span(Duration.ofSeconds((now - start) / SECOND)));
        if (terminal.isLive()) {
            err.print(WIPE + new ProgressLine().add(line).text(false, terminal.columns() - 1));
            isDrawn = true;
        } else {
            err.println(line);
        }
        err.flush();
    }

    /** Before something else is written. */
    public synchronized void wipe() {
        if (isDrawn) {
            isDrawn = false;
            err.print(WIPE);
            err.flush();
        }
    }

    /** It is done, or tells itself how far it is. */
    @Override
    public synchronized void close() {
        wipe();
        isOver = true;
        notifyAll();
    }
}
