package dev.headgate.internal.schedule;

import dev.headgate.schedule.Missed;
import dev.headgate.schedule.Schedule;
import dev.headgate.schedule.Schedule.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a schedule asks for at this moment.
 *
 * @param runs the instants to start a run for, oldest first
 * @param isCut whether more were missed than are made up for at most
 * @param next when to look again; absent if never
 */
public record DueRuns(
        List<Instant> runs, boolean isCut, @Nullable Instant next) {
    private static final int WIDEN = 4;

    /**
     * Reckons what is due.
     *
     * @param settled instants up to this one have been dealt with, whatever the clock says
     */
    public static DueRuns of(Schedule schedule, Instant settled, Instant now) {
        Timing timing = schedule.timing();
        Missed missed = schedule.missed();
        List<Instant> newest = newest(timing, settled, now, missed == Missed.ALL ? Missed.MADE_UP_MAX : 1);
        boolean isLate =
                !newest.isEmpty() && newest.getLast().plus(Missed.GRACE).isBefore(now);
        List<Instant> runs = missed == Missed.SKIP && isLate ? List.of() : newest;
        Instant first = timing.after(settled);
        boolean isCut =
                missed == Missed.ALL && !runs.isEmpty() && !runs.getFirst().equals(first);
        return new DueRuns(runs, isCut, timing.after(settled.isAfter(now) ? settled : now));
    }

    /**
     * The newest instants in between. Looks back further and further, so that a year without workers costs no more than
     * a minute.
     */
    private static List<Instant> newest(Timing timing, Instant settled, Instant now, int most) {
        Duration back = Duration.ofSeconds(1);
        while (true) {
            boolean isAll = !now.minus(back).isAfter(settled);
            Deque<Instant> found = new ArrayDeque<>();
            Instant at = timing.after(isAll ? settled : now.minus(back));
            while (at != null && !at.isAfter(now)) {
                if (found.size() == most) {
                    found.removeFirst();
                }
                found.addLast(at);
                at = timing.after(at);
            }
            if (isAll || found.size() == most) {
                return List.copyOf(found);
            }
            back = back.multipliedBy(WIDEN);
        }
    }
}
