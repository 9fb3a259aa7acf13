package dev.headgate.internal.figure;

import dev.headgate.figure.FigureKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Figures by subject. As text one line for each: the kind, the name and the cell. Few subjects of each kind have cells of their own,
 * whatever names are used: the others are counted together, and single gates behind patterns, whose pattern counts them, are dropped.
 */
final class Tally {
    /** How many queues, job types, and gates or patterns of gates have figures of their own. */
    static final int NAMES_MAX = 50;

    /** How many single gates behind patterns have. */
    static final int KEYS_MAX = 20;

    /** How many are counted apart in memory, before the busiest are known. */
    private static final int COUNTED_MAX = 2_000;

    private static final Comparator<Map.Entry<Subject, Cell>> BUSIEST = Comparator.comparingLong(
                    (Map.Entry<Subject, Cell> each) -> each.getValue().weight())
            .reversed()
            .thenComparing(Map.Entry::getKey);

    private final Map<Subject, Cell> cells = new HashMap<>();

    Cell cell(Subject subject) {
        Cell found = cells.get(subject);
        if (found != null) {
            return found;
        }
        boolean isFull = cells.size() >= COUNTED_MAX && !subject.name().equals(Subject.OTHERS);
        return isFull ? cell(new Subject(subject.kind(), Subject.OTHERS)) : put(subject, new Cell());
    }

    private Cell put(Subject subject, Cell cell) {
        cells.put(subject, cell);
        return cell;
    }

    boolean isEmpty() {
        return cells.isEmpty();
    }

    Map<Subject, Cell> cells() {
        return cells;
    }

    void addBeside(Tally other) {
        other.cells.forEach((subject, cell) -> cell(subject).addBeside(cell));
    }

    void addAfter(Tally other) {
        other.cells.forEach((subject, cell) -> cell(subject).addAfter(cell));
    }

    /** Of what is in use at the end of a shorter interval that this one has in it, the most counts. */
    void seeInUse(Tally shorter) {
        shorter.cells.forEach((subject, cell) -> cell(subject).seeInUse(cell.inUse()));
    }

    /** Of what is summed over all time, what is in use says nothing. */
    void forgetInUse() {
        cells.values().forEach(Cell::forgetInUse);
    }

    /** Leaves the busiest of each kind and counts the others together. */
    Tally trim() {
        for (FigureKind kind : FigureKind.values()) {
            trim(kind, kind == FigureKind.KEY ? KEYS_MAX : NAMES_MAX, BUSIEST);
        }
        return this;
    }

    /** Leaves those that were there before, up to the same number, so that no total ever falls. */
    Tally trimTo(Tally before) {
        Comparator<Map.Entry<Subject, Cell>> known =
                Comparator.comparing(each -> !before.cells.containsKey(each.getKey()));
        for (FigureKind kind : FigureKind.values()) {
            trim(kind, kind == FigureKind.KEY ? 0 : NAMES_MAX, known.thenComparing(BUSIEST));
        }
        return this;
    }

    private void trim(FigureKind kind, int most, Comparator<Map.Entry<Subject, Cell>> order) {
        List<Map.Entry<Subject, Cell>> named = new ArrayList<>();
        for (Map.Entry<Subject, Cell> each : cells.entrySet()) {
            if (each.getKey().kind() == kind && !each.getKey().name().equals(Subject.OTHERS)) {
                named.add(each);
            }
        }
        if (kind == FigureKind.KEY) {
            cells.remove(new Subject(kind, Subject.OTHERS));
        }
        if (named.size() <= most) {
            return;
        }
        named.sort(order);
        for (Map.Entry<Subject, Cell> each : List.copyOf(named.subList(most, named.size()))) {
            Cell cell = each.getValue();
            cells.remove(each.getKey());
            if (kind != FigureKind.KEY) {
                cell(new Subject(kind, Subject.OTHERS)).addBeside(cell);
            }
        }
    }

    String text() {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(cells).forEach((subject, cell) -> {
            text.append(subject.kind().text()).append(' ').append(subject.name());
            cell.write(text);
            text.append('\n');
        });
        return text.toString();
    }

    static Tally read(String text) {
        return read(text, subject -> true);
    }

    /** Reads the cells of some subjects. */
    static Tally read(String text, Predicate<Subject> which) {
        Tally tally = new Tally();
        for (String line : text.split("\n", -1)) {
            if (!line.isEmpty()) {
                Subject subject = subject(line);
                if (which.test(subject)) {
                    tally.put(subject, Cell.read(line.split("\t", -1)));
                }
            }
        }
        return tally;
    }

    private static Subject subject(String line) {
        int space = line.indexOf(' ');
        return new Subject(FigureKind.parse(line.substring(0, space)), line.substring(space + 1, line.indexOf('\t')));
    }
}
