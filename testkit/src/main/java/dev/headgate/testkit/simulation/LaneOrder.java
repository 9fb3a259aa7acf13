package dev.headgate.testkit.simulation;

import dev.headgate.job.Lane;
import dev.headgate.testkit.simulation.Track.Stand;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/**
 * I17: jobs of one lane and one priority start in the order of their enqueue. Only first starts are judged, and only of
 * jobs that were due at once and that nobody has moved since.
 */
final class LaneOrder {
    private final Judge judge;
    private final Map<Place, ArrayDeque<Track>> waiting = new HashMap<>();

    private record Place(Lane lane, int priority) {
        static Place of(Track track) {
            return new Place(track.spec.lane(), track.spec.priority());
        }
    }

    LaneOrder(Judge judge) {
        this.judge = judge;
    }

    void inserted(Track track) {
        if (track.spec.isFront()) {
            track.isOutOfOrder = true;
        } else {
            waiting.computeIfAbsent(Place.of(track), place -> new ArrayDeque<>())
                    .add(track);
        }
    }

    void granted(Track track) {
        if (track.isOutOfOrder) {
            return;
        }
        track.isOutOfOrder = true;
        ArrayDeque<Track> before = waiting.get(Place.of(track));
        while (before != null && !before.isEmpty() && before.peekFirst() != track) {
            Track first = before.removeFirst();
            if (!first.isOutOfOrder && first.stand == Stand.WAITING) {
                judge.broken(
                        "I17",
                        "%s: starts before %s, which came first in %s".formatted(track, first, track.spec.lane()));
                return;
            }
        }
        if (before != null) {
            before.pollFirst();
        }
    }
}
