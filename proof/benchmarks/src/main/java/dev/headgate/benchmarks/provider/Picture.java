package dev.headgate.benchmarks.provider;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A row for each cell and a column for each contender: a bar for the share that was used, and how many calls were answered 429. */
final class Picture {
    private static final int LEFT = 290;
    private static final int COLUMN = 260;
    private static final int BAR = 130;
    private static final int LINE = 20;
    private static final int TOP = 90;

    private final String title;
    private final Map<String, Map<String, Measured>> rows = new LinkedHashMap<>();
    private final Map<String, String> columns = new LinkedHashMap<>();

    Picture(String title) {
        this.title = title;
    }

    void add(Cell cell, Measured found) {
        String form = (cell.isSpaced() ? ", spaced" : "") + (cell.margin().isEmpty() ? "" : ", " + cell.margin());
        String column = cell.approach().id() + form;
        columns.put(column, cell.approach().title() + form);
        rows.computeIfAbsent(cell.conditions(), conditions -> new LinkedHashMap<>())
                .put(column, found);
    }

    String svg() {
        StringBuilder svg = new StringBuilder(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">\n"
                        .formatted(LEFT + COLUMN * columns.size() + 20, TOP + LINE * rows.size() + 20));
        svg.append("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
        text(svg, 20, 28, "#222", 17, title);
        text(svg, 20, 48, "#555", 12, "bars: share of the allowed rate that was used; red: calls answered 429");
        List<String> order = List.copyOf(columns.keySet());
        int number = 0;
        for (String heading : columns.values()) {
            // A heading may be wide; every second one stands lower.
            text(svg, LEFT + COLUMN * number, number % 2 == 0 ? 66 : 80, "#222", 12, heading);
            number++;
        }
        int base = TOP;
        for (Map.Entry<String, Map<String, Measured>> row : rows.entrySet()) {
            base += LINE;
            text(svg, 20, base, "#222", 12, row.getKey());
            for (int i = 0; i < order.size(); i++) {
                Measured found = row.getValue().get(order.get(i));
                if (found != null) {
                    draw(svg, LEFT + COLUMN * i, base, found);
                }
            }
        }
        return svg.append("</svg>\n").toString();
    }

    private static void draw(StringBuilder svg, int x, int base, Measured found) {
        svg.append(String.format(
                Locale.ROOT,
                "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"14\" fill=\"%s\"/>%n",
                x,
                base - 11,
                BAR * Math.clamp(found.share(), 0, 1.2),
                found.refused() == 0 ? "#2e8b57" : "#c9c9c9"));
        text(svg, x + 4, base, "#111", 12, Measured.number(found.share() * 100) + " %");
        if (found.refused() > 0) {
            text(svg, x + BAR + 30, base, "#c0392b", 12, "%d of %d".formatted(found.refused(), found.calls()));
        }
    }

    private static void text(StringBuilder svg, int x, int y, String colour, int size, String words) {
        svg.append("<text x=\"%d\" y=\"%d\" fill=\"%s\" font-size=\"%d\">%s</text>\n"
                .formatted(
                        x,
                        y,
                        colour,
                        size,
                        words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")));
    }
}
