package dev.headgate.cli.top;

import dev.headgate.job.JobId;
import dev.headgate.limit.Pause;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One of the lists of the picture: what it is about, its columns and its rows. */
record Section(String about, List<Column> columns, List<Row> rows) {
    /**
     * A column.
     *
     * @param heading begins with {@code >} if its cells are figures
     */
    record Column(String heading) {
        boolean isFigure() {
            return heading.startsWith(">");
        }

        String name() {
            return isFigure() ? heading.substring(1) : heading;
        }
    }

    /** A cell: what is shown, and by what it is sorted. A figure is sorted as one. */
    record Cell(String text, @Nullable Long figure) {
        static Cell of(String text) {
            return new Cell(text, null);
        }

        static Cell of(long figure) {
            return new Cell(Long.toString(figure), figure);
        }
    }

    /**
     * A row.
     *
     * @param key tells it from the others, also after the next refresh
     * @param alarm it deserves a look: shut, paused, lost
     * @param pause what the key for pausing pauses; absent if it is nothing that can be
     * @param job what the key for explaining explains; absent if it is no job
     */
    record Row(
            String key,
            List<Cell> cells,
            boolean alarm,
            @Nullable Pause pause,
            @Nullable JobId job) {}

    static List<Column> columns(String... headings) {
        return List.of(headings).stream().map(Column::new).toList();
    }

    /** Its rows with these words in any cell, sorted by a column, the greatest figure or the first name first; equal ones as they came. */
    List<Row> shown(String words, int column, boolean isReversed) {
        String wanted = words.toLowerCase(Locale.ROOT);
        Comparator<Row> order = Comparator.comparing(row -> row.cells().get(column), byCell(columns.get(column)));
        return rows.stream()
                .filter(row -> wanted.isEmpty()
                        || row.cells().stream()
                                .anyMatch(cell ->
                                        cell.text().toLowerCase(Locale.ROOT).contains(wanted)))
                .sorted(isReversed ? order.reversed() : order)
                .toList();
    }

    private static Comparator<Cell> byCell(Column column) {
        Comparator<Cell> figures = Comparator.comparing(
                cell -> cell.figure() == null ? Long.MIN_VALUE : cell.figure(), Comparator.reverseOrder());
        return column.isFigure() ? figures.thenComparing(Cell::text) : Comparator.comparing(Cell::text);
    }
}
