package dev.headgate.cli.text;

import dev.headgate.job.Text;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows under headings, aligned. Whatever comes into a cell is made visible first, so a name in the store cannot drive
 * the terminal. A heading that begins with {@code >} is a column of figures, aligned to the right.
 */
public final class Table {
    private static final String GAP = "  ";
    private static final int LAST_COLUMN_MIN = 20;

    private final List<Boolean> isFigure = new ArrayList<>();
    private final List<List<String>> rows = new ArrayList<>();

    public Table(String... headings) {
        List<String> names = new ArrayList<>();
        for (String heading : headings) {
            isFigure.add(heading.startsWith(">"));
            names.add(heading.startsWith(">") ? heading.substring(1) : heading);
        }
        rows.add(names);
    }

    /** Adds a row; it must have a cell for each heading. */
    public Table row(Object... cells) {
        if (cells.length != isFigure.size()) {
            throw new IllegalStateException(
                    "table: expected %d cells, got %d".formatted(isFigure.size(), cells.length));
        }
        List<String> texts = new ArrayList<>();
        for (Object cell : cells) {
            texts.add(Text.visible(String.valueOf(cell)));
        }
        rows.add(texts);
        return this;
    }

    public boolean isEmpty() {
        return rows.size() == 1;
    }

    /** The lines; no line is wider than {@code columns} if cutting the last column can help it. */
    public List<String> lines(int columns) {
        int[] widths = new int[isFigure.size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], Columns.of(row.get(i)));
            }
        }
        int before = 0;
        for (int i = 0; i < widths.length - 1; i++) {
            before += widths[i] + GAP.length();
        }
        int last = Math.max(LAST_COLUMN_MIN, columns - before);
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            lines.add(line(row, widths, last));
        }
        return lines;
    }

    private String line(List<String> row, int[] widths, int last) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String cell = i == widths.length - 1 ? Columns.cut(row.get(i), last) : row.get(i);
            line.append(i == 0 ? "" : GAP);
            line.append(isFigure.get(i) ? Columns.right(cell, widths[i]) : Columns.left(cell, widths[i]));
        }
        return line.toString().stripTrailing();
    }
}
