package dev.headgate.benchmarks.versus;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A picture of medians as bars, with a line from the least to the most; one panel below the other, each to its own scale. */
final class Bars {
    private record Bar(String label, Spread spread) {}

    private record Panel(String title, List<Bar> bars) {}

    private static final int WIDTH = 860;
    private static final int LEFT = 330;
    private static final int LENGTH = 440;
    private static final int LINE = 26;
    private static final int GAP = 50;

    private final String title;
    private final List<Panel> panels = new ArrayList<>();

    Bars(String title) {
        this.title = title;
    }

    Bars panel(String heading) {
        panels.add(new Panel(heading, new ArrayList<>()));
        return this;
    }

    Bars bar(String label, Spread spread) {
        panels.getLast().bars().add(new Bar(label, spread));
        return this;
    }

    String svg() {
        StringBuilder svg = new StringBuilder("""
                <svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="13">
                <rect width="100%%" height="100%%" fill="white"/>
                <text x="20" y="28" font-size="17">%s</text>
                """.formatted(WIDTH, height(), escaped(title)));
        int top = 60;
        for (Panel panel : panels) {
            svg.append(
                    "<text x=\"%d\" y=\"%d\" fill=\"#555\">%s</text>\n".formatted(LEFT, top, escaped(panel.title())));
            double most = panel.bars().stream()
                    .mapToDouble(bar -> bar.spread().max())
                    .max()
                    .orElse(1);
            for (Bar bar : panel.bars()) {
                top += LINE;
                svg.append(drawn(bar, top, LENGTH / most));
            }
            top += GAP;
        }
        return svg.append("</svg>\n").toString();
    }

    private int height() {
        return GAP
                + panels.stream()
                        .mapToInt(panel -> GAP + LINE * panel.bars().size())
                        .sum();
    }

    private static String drawn(Bar bar, int base, double scale) {
        Spread spread = bar.spread();
        String label = bar.label();
        String colour = label.startsWith("headgate") ? "#2a6f97" : label.startsWith("raw") ? "#bbb" : "#e0a458";
        return String.format(
                Locale.ROOT,
                """
                <text x="%d" y="%d" text-anchor="end">%s</text>
                <rect x="%d" y="%d" width="%.1f" height="16" fill="%s"/>
                <line x1="%.1f" x2="%.1f" y1="%d" y2="%d" stroke="#333"/>
                <text x="%.1f" y="%d">%s</text>
                """,
                LEFT - 10,
                base,
                escaped(label),
                LEFT,
                base - 13,
                spread.median() * scale,
                colour,
                LEFT + spread.min() * scale,
                LEFT + spread.max() * scale,
                base - 5,
                base - 5,
                LEFT + spread.max() * scale + 6,
                base,
                Figure.text(spread.median()));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
