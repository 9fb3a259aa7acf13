package dev.headgate.cli.display;

import dev.headgate.internal.text.Text;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Rows under headings, aligned. Cells are made visible first, so a stored name cannot control the terminal. A heading
 * that begins with {@code >} is a column of figures, aligned to the right.
 */
public final class Table {
    private static final String GAP = "  ";
    private static final int LAST_COLUMN_MIN = 20;
    private static final int TEXT_MIN = 12;
    private static final int HEADING_MIN = 4;

    private final List<Boolean> isFigure = new ArrayList<>();
    private final List<List<String>> rows = new ArrayList<>();
    private boolean isWrapping;

    public Table(String... headings) {
        List<String> names = new ArrayList<>();
        for (String heading : headings) {
            isFigure.add(heading.startsWith(">"));
            names.add(heading.startsWith(">") ? heading.substring(1) : heading);
        }
        rows.add(names);
    }

    /** Wraps the last column where it does not fit, instead of cutting it. */
    public Table wrapping() {
        isWrapping = true;
        return this;
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

    /**
     * The lines, none wider than {@code columns}, if that is 40 or more. First the last column is shortened, then
     * headings that are wider than their cells, then other texts. Figures are never cut: if they do not fit, each row
     * becomes a list of its cells.
     */
    public List<String> lines(int columns) {
        int[] widths = fitted(columns);
        if (total(widths) > columns) {
            return listed(columns);
        }
        List<String> lines = new ArrayList<>();
        rows.forEach(row -> lines.addAll(lines(row, widths)));
        return lines;
    }

    /** Whether each row is a line in so many columns, and not a list of its cells. */
    public boolean fits(int columns) {
        return total(fitted(columns)) <= columns;
    }

    private int[] fitted(int columns) {
        int[] widths = widths(0);
        int[] cells = widths(1);
        int last = widths.length - 1;
        shrink(widths, columns, last, isFigure.get(last) ? widths[last] : LAST_COLUMN_MIN);
        for (int i = 0; i <= last; i++) {
            shrink(widths, columns, i, Math.max(cells[i], HEADING_MIN));
        }
        for (int i = last; i >= 0; i--) {
            shrink(widths, columns, i, isFigure.get(i) ? widths[i] : TEXT_MIN);
        }
        return widths;
    }

    private int[] widths(int from) {
        int[] widths = new int[isFigure.size()];
        for (List<String> row : rows.subList(from, rows.size())) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], Columns.of(row.get(i)));
            }
        }
        return widths;
    }

    private static int total(int[] widths) {
        return Arrays.stream(widths).sum() + GAP.length() * (widths.length - 1);
    }

    private static void shrink(int[] widths, int columns, int column, int least) {
        int over = total(widths) - columns;
        if (over > 0 && widths[column] > least) {
            widths[column] = Math.max(least, widths[column] - over);
        }
    }

    private List<String> lines(List<String> row, int[] widths) {
        int last = widths.length - 1;
        StringBuilder before = new StringBuilder();
        for (int i = 0; i < last; i++) {
            before.append(cell(row.get(i), widths[i], isFigure.get(i))).append(GAP);
        }
        if (!isWrapping) {
            return List.of((before + cell(row.get(last), widths[last], isFigure.get(last))).stripTrailing());
        }
        List<String> lines = new ArrayList<>();
        for (String part : Columns.fill(row.get(last), widths[last])) {
            lines.add((before + part).stripTrailing());
            before.replace(0, before.length(), " ".repeat(total(widths) - widths[last]));
        }
        return lines;
    }

    private static String cell(String text, int width, boolean isFigure) {
        String cut = Columns.cut(text, width);
        return isFigure ? Columns.right(cut, width) : Columns.left(cut, width);
    }

    /** Each row as lines of a heading and a cell, a blank line between two rows. Empty cells are left out. */
    private List<String> listed(int columns) {
        List<String> headings = rows.getFirst();
        int width = headings.stream().mapToInt(Columns::of).max().orElse(0);
        String indent = " ".repeat(width + GAP.length());
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows.subList(1, rows.size())) {
            if (!lines.isEmpty()) {
                lines.add("");
            }
            for (int i = 0; i < headings.size(); i++) {
                String before = Columns.left(headings.get(i), width) + GAP;
                if (!row.get(i).isEmpty()) {
                    for (String part : Columns.fill(row.get(i), Math.max(TEXT_MIN, columns - indent.length()))) {
                        lines.add((before + part).stripTrailing());
                        before = indent;
                    }
                }
            }
        }
        return lines;
    }
}
