package dev.headgate.proof.simulation;

import dev.headgate.job.Lane;
import dev.headgate.proof.simulation.Track.Stand;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * I17: jobs of one lane and one priority start in the order in which they came into it: when they were enqueued, became
 * due, or had nothing left to wait for. Only first starts are judged; not those of jobs that go to the front, keep the
 * place of their enqueue, or have come back from where they were set aside.
 */
final class LaneOrder {
    private final Judge judge;
    private final Map<LaneAndPriority, ArrayDeque<Entry>> waiting = new HashMap<>();
    private final Set<Track> scheduled = new HashSet<>();
    private long entries;

    private record LaneAndPriority(Lane lane, int priority) {
        static LaneAndPriority of(Track track) {
            return new LaneAndPriority(track.spec.lane(), track.spec.order().priority());
        }
    }

    /** A job may come into its lane more than once before it starts; only the last time counts. */
    private record Entry(Track track, long number) {
        boolean isValid() {
            return track.entry == number && !track.isOutOfOrder && track.stand == Stand.WAITING;
        }
    }

    LaneOrder(Judge judge) {
        this.judge = judge;
    }

    /** It has come into its lane, behind those that are there. */
    void entered(Track track) {
        scheduled.remove(track);
        track.isOutOfOrder = track.spec.order().isFront() || track.spec.order().keepsPlace() || track.epoch > 0;
        if (!track.isOutOfOrder) {
            track.entry = ++entries;
            waiting.computeIfAbsent(LaneAndPriority.of(track), place -> new ArrayDeque<>())
                    .add(new Entry(track, entries));
        }
    }

    /** It is not in its lane, and will come into it when it is due. */
    void scheduled(Track track) {
        track.isOutOfOrder = true;
        if (track.epoch == 0) {
            scheduled.add(track);
        }
    }

    /** Jobs of these queues that were never leased and are due by then, in the order in which they should enter. */
    List<Long> dueBy(Collection<String> queues, long micros) {
        scheduled.removeIf(track -> track.stand != Stand.WAITING);
        return scheduled.stream()
                .filter(track -> track.notBefore <= micros
                        && queues.contains(track.spec.lane().queue()))
                .sorted(Comparator.comparingLong((Track track) -> track.notBefore)
                        .thenComparingLong(track -> track.id))
                .map(track -> track.id)
                .toList();
    }

    void granted(Track track) {
        if (track.isOutOfOrder) {
            return;
        }
        ArrayDeque<Entry> before = waiting.get(LaneAndPriority.of(track));
        while (before != null && !before.isEmpty() && before.element().number() != track.entry) {
            Entry first = before.remove();
            if (first.isValid()) {
                judge.broken(
                        "I17",
                        "%s: starts before %s, which came first in %s"
                                .formatted(track, first.track(), track.spec.lane()));
                return;
            }
        }
        track.isOutOfOrder = true;
        if (before != null) {
            before.poll();
        }
    }
}
