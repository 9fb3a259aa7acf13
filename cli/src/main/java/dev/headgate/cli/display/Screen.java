package dev.headgate.cli.display;

import java.io.PrintWriter;
import java.util.List;

/** A few lines of a terminal that are drawn over and over again. Closing it leaves the last picture and the cursor. */
public final class Screen implements AutoCloseable {
    private static final String ESCAPE = "\u001b[";

    private final PrintWriter out;
    private final Terminal terminal;
    private int drawn;
    private boolean isClosed;

    public Screen(PrintWriter out, Terminal terminal) {
        this.out = out;
        this.terminal = terminal;
        out.print(ESCAPE + "?25l");
        out.flush();
    }

    /** Draws the picture over the last one. A wrapped line would spoil the next picture, so it is cut. */
    public synchronized void draw(List<ProgressLine> picture) {
        if (isClosed) {
            return;
        }
        StringBuilder frame = new StringBuilder();
        if (drawn > 0) {
            frame.append(ESCAPE).append(drawn).append('A');
        }
        List<ProgressLine> lines = fitting(picture);
        for (ProgressLine line : lines) {
            frame.append('\r')
                    .append(line.text(terminal.hasColour(), terminal.columns() - 1))
                    .append(ESCAPE)
                    .append("K\n");
        }
        frame.append(ESCAPE).append('J');
        drawn = lines.size();
        out.print(frame);
        out.flush();
    }

    /**
     * Lines that scrolled out of the window cannot be drawn over: a low window leaves out blank lines first, then the
     * last lines.
     */
    private List<ProgressLine> fitting(List<ProgressLine> picture) {
        int room = terminal.rows() - 1;
        return picture.size() <= room
                ? picture
                : picture.stream().filter(line -> !line.isBlank()).limit(room).toList();
    }

    @Override
    public synchronized void close() {
        if (!isClosed) {
            isClosed = true;
            out.print(ESCAPE + "?25h");
            out.flush();
        }
    }
}
