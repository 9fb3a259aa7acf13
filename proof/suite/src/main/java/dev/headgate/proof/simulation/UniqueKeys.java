package dev.headgate.proof.simulation;

import dev.headgate.internal.time.Micros;
import dev.headgate.spi.JobTable.Inserted;
import dev.headgate.spi.JobTable.NewRow;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** I22: at most one live job carries a key, and an enqueue that reports an older job reports one that exists. */
final class UniqueKeys {
    private final Judge judge;
    private final Tracks tracks;
    private final Map<String, Holder> holders = new HashMap<>();

    /** Jobs that came back while another job had their key: they stay without it, even if it is free again later. */
    private final Set<Long> bare = new HashSet<>();

    private record Holder(long job, @Nullable Long until) {}

    UniqueKeys(Judge judge, Tracks tracks) {
        this.judge = judge;
        this.tracks = tracks;
    }

    void inserted(NewRow row, Inserted answer, long latest) {
        String key = row.spec().dedup().key();
        if (key == null) {
            return;
        }
        Holder holder = holders.get(key);
        if (!answer.isNew()) {
            if (holder == null || holder.job != answer.id()) {
                judge.broken(
                        "I22",
                        "key '%s': job %d is said to carry it, but %s does"
                                .formatted(key, answer.id(), holder == null ? "nobody" : "job " + holder.job));
            }
            return;
        }
        if (holder != null && (holder.until == null || holder.until > latest)) {
            judge.broken(
                    "I22",
                    "key '%s': job %d carries it, and job %d got it too".formatted(key, holder.job, answer.id()));
        }
        holders.put(key, new Holder(answer.id(), row.dedupUntil()));
    }

    void gone(Track track) {
        String key = track.spec.dedup().key();
        Holder holder = key == null ? null : holders.get(key);
        if (holder != null && holder.job == track.id) {
            holders.remove(key);
        }
    }

    /** Comes back with its key if that is free; else without it, for good. */
    void revived(Track track) {
        String key = track.spec.dedup().key();
        if (key == null || bare.contains(track.id)) {
            return;
        }
        Holder holder = holders.get(key);
        Track other = holder == null ? null : tracks.find(holder.job);
        if (other != null && other.isLive()) {
            bare.add(track.id);
            return;
        }
        Duration counts = track.spec.dedup().lasts();
        Long until = counts == null ? null : Long.valueOf(track.enqueuedAt + Micros.of(counts));
        holders.put(key, new Holder(track.id, until));
    }
}
