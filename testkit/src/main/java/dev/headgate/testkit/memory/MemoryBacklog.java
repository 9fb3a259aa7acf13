package dev.headgate.testkit.memory;

import dev.headgate.job.Lane;
import dev.headgate.limit.GateKey;
import dev.headgate.spi.BacklogTable;
import dev.headgate.spi.JobRow;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;

/** Capped backlogs. One transaction runs at a time, so there is nothing to lock. */
record MemoryBacklog(Rows<Long, LiveJob> jobs, JobIndexes indexes) implements BacklogTable {
    @Override
    public void lock(SortedSet<GateKey> keys) {}

    @Override
    public int count(GateKey key, int max) {
        return (int) in(key).in(key).stream().limit(max).count();
    }

    @Override
    public List<JobRow> oldest(GateKey key, int limit) {
        return in(key).first(key, limit).stream().map(LiveJob::row).toList();
    }

    private Ordered<GateKey, LiveJob> in(GateKey key) {
        return key.scope() == GateKey.Scope.QUEUE ? indexes.queueBacklog : indexes.gateBacklog;
    }

    @Override
    public List<Lane> lanes() {
        return jobs.all().values().stream()
                .map(job -> job.spec().lane())
                .distinct()
                .toList();
    }

    @Override
    public void mark(Collection<Long> marked, Caps caps) {
        for (long job : marked) {
            LiveJob live = jobs.get(job);
            if (live != null) {
                jobs.put(live.counting(caps));
            }
        }
    }

    @Override
    public void mark(Map<Lane, Caps> caps) {
        List<LiveJob> concerned = jobs.all().values().stream()
                .filter(job -> caps.containsKey(job.spec().lane()) && job.spec().frame() == null)
                .toList();
        concerned.forEach(
                job -> jobs.put(job.counting(caps.getOrDefault(job.spec().lane(), Caps.NONE))));
    }
}
