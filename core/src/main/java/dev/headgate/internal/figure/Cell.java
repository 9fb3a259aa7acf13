package dev.headgate.internal.figure;

import dev.headgate.figure.FigurePoint;
import dev.headgate.figure.FigurePoint.Counts;
import dev.headgate.internal.time.Micros;
import java.util.Map;
import java.util.TreeMap;

/** The figures of one subject in one interval, while they are counted or added up. */
final class Cell {
    private static final int RULES_MAX = 8;
    private static final String OTHER_RULES = "other";
    private static final Count[] COUNTS = Count.values();

    private final long[] counts = new long[COUNTS.length];
    private final Times waited = new Times();
    private final Times ran = new Times();
    private final Map<String, Long> refused = new TreeMap<>();
    private long inUse;

    void count(Count what, long many) {
        counts[what.place] += many;
    }

    void started(long waitedMicros, long units) {
        counts[Count.STARTED.place]++;
        counts[Count.UNITS.place] += units;
        waited.add(waitedMicros);
    }

    void ended(Count how, long ranMicros) {
        counts[how.place]++;
        ran.add(ranMicros);
    }

    void refused(String rule, long times) {
        boolean isKnown = refused.containsKey(rule) || refused.size() < RULES_MAX;
        refused.merge(isKnown ? rule : OTHER_RULES, times, Long::sum);
    }

    void inUse(long jobs) {
        inUse += jobs;
    }

    long inUse() {
        return inUse;
    }

    void seeInUse(long jobs) {
        inUse = Math.max(inUse, jobs);
    }

    /** How much happened here, to find the busiest. */
    long weight() {
        long weight = inUse;
        for (long count : counts) {
            weight += count;
        }
        for (long times : refused.values()) {
            weight += times;
        }
        return weight - counts[Count.UNITS.place];
    }

    /** Adds figures of the same instant, as another process or another subject has counted them: what is in use adds up. */
    void addBeside(Cell other) {
        add(other);
        inUse += other.inUse;
    }

    /** Adds figures of another instant: of what is in use the most counts. */
    void addAfter(Cell other) {
        add(other);
        inUse = Math.max(inUse, other.inUse);
    }

    private void add(Cell other) {
        for (int i = 0; i < counts.length; i++) {
            counts[i] += other.counts[i];
        }
        waited.add(other.waited);
        ran.add(other.ran);
        other.refused.forEach(this::refused);
    }

    void forgetInUse() {
        inUse = 0;
    }

    /** Counts, then what waited and ran, then refusals by rule, each after a tab. */
    void write(StringBuilder text) {
        text.append('\t');
        String space = "";
        for (Count count : COUNTS) {
            if (counts[count.place] != 0) {
                text.append(space).append(count.letter).append(counts[count.place]);
                space = " ";
            }
        }
        if (inUse != 0) {
            text.append(space).append('i').append(inUse);
        }
        write(text, 'w', waited);
        write(text, 't', ran);
        refused.forEach(
                (rule, times) -> text.append("\tx").append(times).append(' ').append(rule));
    }

    private static void write(StringBuilder text, char letter, Times times) {
        if (!times.isEmpty()) {
            text.append('\t').append(letter);
            times.write(text);
        }
    }

    /** Reads what {@link #write} wrote, field by field behind the name. */
    static Cell read(String[] fields) {
        Cell cell = new Cell();
        for (String each : fields[1].isEmpty() ? new String[0] : fields[1].split(" ", -1)) {
            long many = Long.parseLong(each.substring(1));
            if (each.charAt(0) == 'i') {
                cell.inUse = many;
            } else {
                cell.count(Count.of(each.charAt(0)), many);
            }
        }
        for (int i = 2; i < fields.length; i++) {
            String field = fields[i].substring(1);
            switch (fields[i].charAt(0)) {
                case 'w' -> cell.waited.read(field);
                case 't' -> cell.ran.read(field);
                default -> {
                    int space = field.indexOf(' ');
                    cell.refused(field.substring(space + 1), Long.parseLong(field.substring(0, space)));
                }
            }
        }
        return cell;
    }

    FigurePoint view(long at) {
        return new FigurePoint(
                Micros.instant(at),
                new Counts(
                        of(Count.ENQUEUED),
                        of(Count.STARTED),
                        of(Count.UNITS),
                        of(Count.SUCCEEDED),
                        of(Count.FAILED),
                        of(Count.RETRIED),
                        of(Count.CANCELLED),
                        of(Count.LOST),
                        of(Count.HANDED_BACK)),
                inUse,
                refused,
                waited.view(),
                ran.view());
    }

    private long of(Count what) {
        return counts[what.place];
    }
}
