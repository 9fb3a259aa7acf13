package dev.headgate.cli.top;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.top.StoreReader.News;
import java.io.IOException;
import java.io.Reader;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/** The picture in a terminal: drawn anew whenever the store, a key or the window has something new. */
final class LiveTop {
    private final CommandContext shell;
    private final Duration every;
    private final View view;
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private @Nullable Reading reading;
    private Duration took = Duration.ZERO;
    private int rows;
    private int columns;

    private sealed interface Event {
        record Key(String name) implements Event {}

        record Told(News news) implements Event {}

        record Resized() implements Event {}

        record Ended(int exit) implements Event {}
    }

    LiveTop(CommandContext shell, Duration every, String filter) {
        this.shell = shell;
        this.every = every;
        this.view = new View(filter);
        this.rows = shell.terminal().rows();
        this.columns = shell.terminal().columns();
    }

    /** Runs until it is left; answers the exit code. */
    int run(Headgate headgate, StoreReader.Signature signature) throws IOException, InterruptedException {
        try (RawTerminal terminal =
                RawTerminal.open(shell.out(), shell.terminal().hasColour())) {
            // Told at once, because the thread of this command may be waiting for the store.
            shell.signals().onFirst(exit -> {
                terminal.restore();
                events.add(new Event.Ended(exit));
            });
            shell.signals().onResize(() -> events.add(new Event.Resized()));
            StoreReader store =
                    new StoreReader(shell, headgate, every, signature, news -> events.add(new Event.Told(news)));
            store.start();
            listen(RawTerminal.keyboard());
            resize();
            while (true) {
                terminal.draw(new Picture(columns, rows).of(view, reading, took, every), columns);
                Event event = events.take();
                if (event instanceof Event.Ended ended) {
                    return ended.exit();
                }
                if (event instanceof Event.Key key && isLast(store, view.press(key.name()))) {
                    return ExitCode.OK;
                }
                if (event instanceof Event.Told told) {
                    hear(told.news());
                } else if (event instanceof Event.Resized) {
                    resize();
                }
            }
        }
    }

    private void listen(Reader keyboard) {
        Keys keys = new Keys(keyboard);
        Thread.ofPlatform().daemon().name("headgate-top-keys").start(() -> {
            try {
                for (String key = keys.next(); key != null; key = keys.next()) {
                    events.add(new Event.Key(key));
                }
            } catch (IOException closed) {
                // The window is gone, as it is when there are no more keys.
            }
            events.add(new Event.Ended(ExitCode.OK));
        });
    }

    private void resize() throws InterruptedException {
        int[] size = RawTerminal.size(rows, columns);
        rows = Math.max(5, size[0]);
        columns = Math.max(40, size[1]);
    }

    private void hear(News news) {
        switch (news) {
            case News.Read read -> {
                reading = read.reading();
                took = read.took();
                view.show(read.reading());
            }
            case News.Text text -> view.open(text.lines());
            case News.Said said -> view.say(said.words());
        }
    }

    private boolean isLast(StoreReader store, View.Wish wish) {
        switch (wish) {
            case View.Wish.Quit quit -> {
                return true;
            }
            case View.Wish.Help help -> view.open(Picture.HELP);
            case View.Wish.Nothing nothing -> {}
            default -> store.wish(wish);
        }
        return false;
    }
}
