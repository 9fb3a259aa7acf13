package dev.headgate.cli.top;

import dev.headgate.cli.display.ProgressLine;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The window of the terminal, drawn as a whole, and its keyboard, read key by key. Java can set neither, so {@code stty} does.
 * What it was before comes back when this is closed, by whichever thread.
 */
final class RawTerminal implements AutoCloseable {
    private static final String ESCAPE = "\u001b[";
    private static final String OTHER_SCREEN = ESCAPE + "?1049h" + ESCAPE + "?25l";
    private static final String SCREEN_BEFORE = ESCAPE + "?25h" + ESCAPE + "?1049l";
    private static final File DEVICE = new File("/dev/tty");
    private static final long PATIENCE_SECONDS = 5;

    private final PrintWriter out;
    private final boolean hasColour;
    private final String before;
    private final Thread atExit = Thread.ofPlatform().unstarted(this::restore);
    private boolean isRestored;

    private RawTerminal(PrintWriter out, boolean hasColour, String before) {
        this.out = out;
        this.hasColour = hasColour;
        this.before = before;
    }

    /** @throws IOException if there is no terminal, or no {@code stty} to set it */
    static RawTerminal open(PrintWriter out, boolean hasColour) throws IOException, InterruptedException {
        RawTerminal terminal = new RawTerminal(out, hasColour, stty("-g"));
        Runtime.getRuntime().addShutdownHook(terminal.atExit);
        // Ctrl-C still ends the command. Ctrl-Z would leave the shell with this screen, so it does nothing.
        stty("-icanon", "-echo", "min", "1", "time", "0", "susp", "undef");
        out.print(OTHER_SCREEN);
        out.flush();
        return terminal;
    }

    static Reader keyboard() throws IOException {
        return new InputStreamReader(new FileInputStream(DEVICE), StandardCharsets.UTF_8);
    }

    /**
     * The size of the window.
     *
     * @return rows and columns; those given if the terminal does not know
     */
    static int[] size(int rows, int columns) throws InterruptedException {
        try {
            String[] words = stty("size").split(" ", -1);
            int[] size = {Integer.parseInt(words[0]), Integer.parseInt(words[1])};
            return size[0] > 0 && size[1] > 0 ? size : new int[] {rows, columns};
        } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException unknown) {
            return new int[] {rows, columns};
        }
    }

    private static String stty(String... settings) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("stty"));
        command.addAll(List.of(settings));
        Process stty = new ProcessBuilder(command)
                .redirectInput(DEVICE)
                .redirectErrorStream(true)
                .start();
        String said = new String(stty.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (!stty.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || stty.exitValue() != 0) {
            stty.destroyForcibly();
            throw new IOException(said);
        }
        return said;
    }

    /** Draws over the whole window. Lines are cut, because a wrapped one would push the first out of it. */
    synchronized void draw(List<ProgressLine> lines, int columns) {
        if (isRestored) {
            return;
        }
        StringBuilder frame = new StringBuilder(ESCAPE).append('H');
        for (int i = 0; i < lines.size(); i++) {
            frame.append(i == 0 ? "" : "\r\n")
                    .append(lines.get(i).text(hasColour, columns - 1))
                    .append(ESCAPE)
                    .append('K');
        }
        out.print(frame.append(ESCAPE).append('J'));
        out.flush();
    }

    synchronized void restore() {
        if (isRestored) {
            return;
        }
        isRestored = true;
        out.print(SCREEN_BEFORE);
        out.flush();
        try {
            stty(before);
        } catch (IOException gone) {
            // The terminal was closed: there is nothing to restore.
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        restore();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException alreadyEnding) {
            // Then it runs, and finds nothing to do.
        }
    }
}
