package dev.headgate.internal.admission;

import dev.headgate.internal.time.Micros;
import dev.headgate.limit.Margin;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How long the latest starts of a gate took: from the grant to the handler, and to the handler's end. Counts in steps
 * of powers of two, so a figure is at most twice too high; beyond {@link #MOST} starts all counts are halved, so old
 * starts say little.
 */
public final class StartLags {
    static final String KEY = "l";

    private static final int MOST = 2_000;
    private static final int STEPS = 28;
    private static final int RADIX = 36;
    /** The end of the first step, in microseconds; the last step has no end. */
    private static final long FIRST = 500;

    private static final long MILLI = 1_000;

    /** Of a gate without starts. Most ledgers are made for such a gate: to judge a job that is enqueued. */
    private static final int[] NONE = {};

    private int[] toHandler = NONE;
    private int[] toEnd = NONE;
    private long late;
    private long rejectedAt;
    private long took;
    private long covered;
    private long longest;
    private long fullAt;
    private long cut;

    StartLags(@Nullable String memory) {
        if (memory != null) {
            String[] parts = memory.split("/", -1);
            late = Long.parseLong(parts[0], RADIX);
            toHandler = read(parts[1]);
            toEnd = read(parts[2]);
            rejectedAt = number(parts, 3);
            took = number(parts, 4);
            covered = number(parts, 5);
            longest = number(parts, 6);
            fullAt = number(parts, 7);
            cut = number(parts, 8);
        }
    }

    private static long number(String[] parts, int index) {
        return index < parts.length ? Long.parseLong(parts[index], RADIX) : 0;
    }

    /** A start reached its handler after this many microseconds. */
    void reached(long micros, boolean isLate) {
        toHandler = count(toHandler, micros);
        late += isLate ? 1 : 0;
    }

    /** These starts were granted up to now. The gate alone would have given each of them its own margin, or more. */
    void granted(StartsByMargin starts, long own, Meters meters, InUse inUse, long clock) {
        if (starts.jobs() > 0 && meters.isTimed()) {
            cut = starts.leastMargin() < own ? starts.leastMargin() : 0;
            fullAt = meters.isFull(clock, inUse) ? clock : fullAt;
        }
    }

    /**
     * The handler of a start has ended. If the start was on its way at the last rejection, its call may have been the
     * one too many.
     */
    void ended(Start start, long clock) {
        long micros = clock - start.at();
        toEnd = count(toEnd, micros);
        longest = Math.max(longest, micros);
        if (start.at() <= rejectedAt) {
            took = Math.max(took, micros);
        }
    }

    /**
     * Whether nine tenths or more were used at this instant, or so shortly before that late calls may have come then.
     */
    boolean wasFull(long instant, long period) {
        return fullAt > 0 && fullAt >= instant - period - longest();
    }

    /**
     * What the gate stands for pushed back although the limits were kept. A call is made before its handler ends, so
     * the longest such time tells whether calls came later than they were counted.
     *
     * @param margin how long after its grant a start counts in the limits
     */
    void rejected(Start start, long margin, long instant) {
        rejectedAt = instant;
        took = Math.max(instant - start.at(), longest());
        covered = margin;
    }

    /** The longest of the latest starts; exact unless it is so old that its count was halved away. */
    private long longest() {
        Duration step = within(toEnd, 100);
        return step == null ? 0 : Math.min(longest, Micros.of(step));
    }

    /** The last push-back although the limits were kept; absent if there was none. */
    public @Nullable Instant rejectedAt() {
        return rejectedAt == 0 ? null : Micros.instant(rejectedAt);
    }

    /**
     * The longest time from a grant to the end of its handler, of starts before that push-back and of those that ran
     * then.
     */
    public Duration rejectedLag() {
        return Micros.duration(took);
    }

    /**
     * How long after its grant a start counted then: zero if not at all, absent if it counted until its handler ended.
     */
    public @Nullable Duration rejectedMargin() {
        return covered == Margin.OPEN ? null : Micros.duration(covered);
    }

    /**
     * The margin that would have avoided it; absent if the margin in force covers everything that was seen, so that lag
     * was not the cause.
     */
    public @Nullable Duration advisedMargin() {
        return rejectedAt == 0 || took <= covered ? null : Duration.ofMillis(Math.ceilDiv(took, MILLI));
    }

    /**
     * The margin of the latest starts, if another gate or the queue of their jobs made it shorter than this gate would
     * have.
     */
    public @Nullable Duration cutMargin() {
        return cut == 0 ? null : Micros.duration(cut);
    }

    private static int[] count(int[] before, long micros) {
        int[] steps = before.length == 0 ? new int[STEPS] : before;
        int step = 0;
        for (long end = FIRST; micros > end && step < STEPS - 1; end *= 2) {
            step++;
        }
        steps[step]++;
        int sum = 0;
        for (int each : steps) {
            sum += each;
        }
        for (int i = 0; sum > MOST && i < STEPS; i++) {
            steps[i] /= 2;
        }
        return steps;
    }

    /** How many starts reached their handlers too late, since the gate was made or cleared. */
    public long late() {
        return late;
    }

    /** The time in which this percentage of the latest starts reached their handlers; absent if there are none. */
    public @Nullable Duration toHandler(int percent) {
        return within(toHandler, percent);
    }

    /** The time in which the handlers of this percentage of the latest starts ended; absent if there are none. */
    public @Nullable Duration toEnd(int percent) {
        return within(toEnd, percent);
    }

    private static @Nullable Duration within(int[] steps, int percent) {
        long sum = 0;
        for (int each : steps) {
            sum += each;
        }
        long wanted = Math.ceilDiv(sum * percent, 100);
        long seen = 0;
        long end = FIRST;
        for (int each : steps) {
            seen += each;
            if (sum > 0 && seen >= wanted) {
                return Micros.duration(end);
            }
            end *= 2;
        }
        return null;
    }

    /** These entries and the times of its starts. */
    Map<String, String> with(Map<String, String> others) {
        String own = memory();
        if (own == null) {
            return others;
        }
        Map<String, String> all = new HashMap<>(others);
        all.put(KEY, own);
        return all;
    }

    private @Nullable String memory() {
        StringBuilder text = new StringBuilder(Long.toString(late, RADIX)).append('/');
        boolean isAny = write(text, toHandler);
        isAny |= write(text.append('/'), toEnd);
        if (rejectedAt + longest + fullAt + cut > 0) {
            for (long number : new long[] {rejectedAt, took, covered, longest, fullAt, cut}) {
                text.append('/').append(Long.toString(number, RADIX));
            }
            isAny = true;
        }
        return isAny || late > 0 ? text.toString() : null;
    }

    /** Writes the counts from the first to the last that is not zero, after the number of the first. */
    private static boolean write(StringBuilder text, int[] steps) {
        int first = 0;
        int last = steps.length - 1;
        while (last >= 0 && steps[last] == 0) {
            last--;
        }
        while (first < last && steps[first] == 0) {
            first++;
        }
        if (last < 0) {
            return false;
        }
        text.append(first);
        for (int i = first; i <= last; i++) {
            text.append('.').append(Integer.toString(steps[i], RADIX));
        }
        return true;
    }

    private static int[] read(String text) {
        if (text.isEmpty()) {
            return NONE;
        }
        int[] steps = new int[STEPS];
        String[] parts = text.split("\\.", -1);
        int first = Integer.parseInt(parts[0]);
        for (int i = 1; i < parts.length; i++) {
            steps[first + i - 1] = Integer.parseInt(parts[i], RADIX);
        }
        return steps;
    }
}
