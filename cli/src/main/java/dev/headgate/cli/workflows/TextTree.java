package dev.headgate.cli.workflows;

import dev.headgate.cli.display.Columns;
import dev.headgate.cli.workflows.Drawing.Knot;
import dev.headgate.internal.text.Text;
import java.util.ArrayList;
import java.util.List;

/** A drawing as lines of a terminal. */
final class TextTree {
    private TextTree() {}

    /** The lines, none wider than so many columns. */
    static List<String> lines(Knot top, int columns) {
        List<String> lines = new ArrayList<>();
        add(top, "", "", columns, lines);
        return lines;
    }

    private static void add(Knot knot, String first, String rest, int columns, List<String> lines) {
        String note = knot.note().isEmpty() ? "" : "  " + knot.note();
        String line = "%s%s %s%s".formatted(first, knot.look().mark(), knot.name(), note);
        lines.add(Columns.cut(Text.visible(line), columns));
        for (int i = 0; i < knot.below().size(); i++) {
            boolean isLast = i == knot.below().size() - 1;
            add(knot.below().get(i), rest + (isLast ? "└─ " : "├─ "), rest + (isLast ? "   " : "│  "), columns, lines);
        }
    }
}
