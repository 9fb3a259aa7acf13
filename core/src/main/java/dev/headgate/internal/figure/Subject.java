package dev.headgate.internal.figure;

import dev.headgate.figure.FigureKind;
import java.util.Comparator;

/** What figures are counted for. */
record Subject(FigureKind kind, String name) implements Comparable<Subject> {
    /** Stands for all of a kind that have no figures of their own. */
    static final String OTHERS = "*";

    private static final Comparator<Subject> ORDER =
            Comparator.comparing(Subject::kind).thenComparing(Subject::name);

    @Override
    public int compareTo(Subject other) {
        return ORDER.compare(this, other);
    }
}
