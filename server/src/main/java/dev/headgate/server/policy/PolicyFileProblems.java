package dev.headgate.server.policy;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.snakeyaml.engine.v2.exceptions.Mark;

/** What is wrong with a file, all of it, each with its place. */
final class PolicyFileProblems {
    private static final int SHOWN_MAX = 50;

    private final String file;
    private final TreeSet<Problem> found = new TreeSet<>(Comparator.comparingInt(Problem::line)
            .thenComparingInt(Problem::column)
            .thenComparing(Problem::what));

    private record Problem(int line, int column, String what) {
        @Override
        public String toString() {
            return "line %d, column %d: %s".formatted(line, column, what);
        }
    }

    PolicyFileProblems(String file) {
        this.file = file;
    }

    void add(Optional<Mark> at, String what) {
        found.add(new Problem(
                at.map(mark -> mark.getLine() + 1).orElse(1),
                at.map(mark -> mark.getColumn() + 1).orElse(1),
                what));
    }

    /** Runs a check that throws, and notes what it says. */
    void collect(Optional<Mark> at, Runnable check) {
        try {
            check.run();
        } catch (IllegalArgumentException fault) {
            add(at, String.valueOf(fault.getMessage()));
        }
    }

    static String place(Optional<Mark> at) {
        return at.map(mark -> "line %d".formatted(mark.getLine() + 1)).orElse("above");
    }

    void throwIfAny() {
        if (found.isEmpty()) {
            return;
        }
        List<String> lines =
                found.stream().limit(SHOWN_MAX).map(Problem::toString).toList();
        String more = found.size() > SHOWN_MAX ? "\n  … and %d more".formatted(found.size() - SHOWN_MAX) : "";
        throw new IllegalArgumentException(
                found.size() == 1
                        ? "%s, %s; nothing was changed".formatted(file, lines.getFirst())
                        : "%s: %s; nothing was changed\n  %s%s"
                                .formatted(file, found.size() + " problems", String.join("\n  ", lines), more));
    }
}
