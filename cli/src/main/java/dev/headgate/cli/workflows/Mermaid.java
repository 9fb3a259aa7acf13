package dev.headgate.cli.workflows;

import dev.headgate.cli.workflows.Drawing.Knot;
import dev.headgate.cli.workflows.Drawing.Look;
import dev.headgate.internal.text.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A drawing as a Mermaid flowchart: steps follow each other with arrows, what they have made hangs on dotted ones. */
final class Mermaid {
    private final List<String> lines = new ArrayList<>();
    private int knots;

    private Mermaid() {}

    static List<String> lines(Knot top) {
        Mermaid mermaid = new Mermaid();
        mermaid.lines.add("flowchart TD");
        mermaid.draw(top);
        mermaid.lines.add("    classDef done fill:#d9f2d9,stroke:#2e7d32,color:#000");
        mermaid.lines.add("    classDef going fill:#d6e8ff,stroke:#1565c0,color:#000");
        mermaid.lines.add("    classDef waiting fill:#fff3cd,stroke:#b28704,color:#000");
        mermaid.lines.add("    classDef stopped fill:#ffe0b2,stroke:#e65100,color:#000");
        mermaid.lines.add("    classDef failed fill:#f8d7da,stroke:#b71c1c,color:#000");
        mermaid.lines.add("    classDef cancelled fill:#e0e0e0,stroke:#616161,color:#000");
        mermaid.lines.add("    classDef to_come fill:#fff,stroke:#9e9e9e,color:#000,stroke-dasharray:4");
        mermaid.lines.add("    classDef more fill:#fff,stroke:#9e9e9e,color:#000");
        return mermaid.lines;
    }

    /** Draws a knot that has steps below it, and returns its name. */
    private String draw(Knot knot) {
        String name = node(knot);
        String before = name;
        for (Knot step : knot.below()) {
            String next = node(step);
            lines.add("    %s --> %s".formatted(before, next));
            for (Knot part : step.below()) {
                // Written first, so that names count up as the drawing goes down.
                String made = draw(part);
                lines.add("    %s -.-> %s".formatted(next, made));
            }
            before = next;
        }
        return name;
    }

    private String node(Knot knot) {
        String name = "n" + knots++;
        String note = knot.note().isEmpty() ? "" : "<br/>" + safe(knot.note());
        lines.add("    %s[\"%s%s\"]:::%s".formatted(name, safe(knot.name()), note, kind(knot.look())));
        return name;
    }

    private static String kind(Look look) {
        return look.name().toLowerCase(Locale.ROOT);
    }

    /** Stored names must not become markup: all that Mermaid or HTML could read as such is written as a number. */
    private static String safe(String text) {
        StringBuilder safe = new StringBuilder();
        Text.visible(text).codePoints().forEach(c -> {
            if ("\"#&<>`\\;%{}[]|".indexOf(c) >= 0) {
                safe.append('#').append(c).append(';');
            } else {
                safe.appendCodePoint(c);
            }
        });
        return safe.toString();
    }
}
