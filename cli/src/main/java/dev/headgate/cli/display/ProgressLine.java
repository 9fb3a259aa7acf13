package dev.headgate.cli.display;

import java.util.ArrayList;
import java.util.List;

/** A line of coloured pieces; colours take no columns. */
public final class ProgressLine {
    public static final int PLAIN = 0;
    public static final int BOLD = 1;
    public static final int DIM = 2;
    public static final int GREEN = 32;
    public static final int YELLOW = 33;
    public static final int CYAN = 36;

    private final List<Piece> pieces = new ArrayList<>();

    private record Piece(String text, int colour) {}

    public ProgressLine add(String text) {
        return add(text, PLAIN);
    }

    public ProgressLine add(String text, int colour) {
        pieces.add(new Piece(text, colour));
        return this;
    }

    /** A bar of {@code length} cells, of which {@code part} of {@code whole} are full. */
    public ProgressLine bar(long part, long whole, int length, int colour) {
        int full = whole == 0 ? 0 : (int) Math.min(length, (part * length + whole / 2) / whole);
        return add("█".repeat(full), colour).add("░".repeat(length - full), DIM);
    }

    boolean isBlank() {
        return pieces.isEmpty();
    }

    /** As a terminal draws it, cut to its columns. */
    public String text(boolean hasColour, int columns) {
        StringBuilder text = new StringBuilder();
        int room = columns;
        for (Piece piece : pieces) {
            if (room <= 0) {
                break;
            }
            String shown = Columns.cut(piece.text(), room);
            room -= Columns.of(shown);
            boolean isColoured = hasColour && piece.colour() != PLAIN && !shown.isEmpty();
            text.append(isColoured ? "\u001b[%dm%s\u001b[0m".formatted(piece.colour(), shown) : shown);
        }
        return text.toString();
    }
}
