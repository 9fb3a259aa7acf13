package dev.headgate.benchmarks.versus;

import java.io.PrintStream;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a trial found, and the lines in which its process says so.
 *
 * @param failure why there are no figures; none if there are
 */
record Outcome(Map<Figure, Double> figures, @Nullable String failure) {
    private static final String FIGURE = "figure ";
    private static final String FAILED = "failed ";

    static Outcome of(Map<Figure, Double> figures) {
        return new Outcome(figures, null);
    }

    static Outcome failed(String reason) {
        return new Outcome(Map.of(), reason.lines().findFirst().orElse("no reason given"));
    }

    void print(PrintStream out) {
        figures.forEach((figure, value) -> out.println(FIGURE + figure + " " + value));
        if (failure != null) {
            out.println(FAILED + failure);
        }
    }

    /** Reads what was printed, among whatever else the process said. */
    static Outcome parse(List<String> lines) {
        Map<Figure, Double> figures = new EnumMap<>(Figure.class);
        for (String line : lines) {
            if (line.startsWith(FAILED)) {
                return failed(line.substring(FAILED.length()));
            }
            if (line.startsWith(FIGURE)) {
                String[] words = line.split(" ", -1);
                figures.put(Figure.valueOf(words[1]), Double.valueOf(words[2]));
            }
        }
        return figures.isEmpty() ? failed("the process ended without a word") : of(figures);
    }
}
