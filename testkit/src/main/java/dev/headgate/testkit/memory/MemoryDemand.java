package dev.headgate.testkit.memory;

import dev.headgate.job.JobSpec.FrameRef;
import dev.headgate.job.JobState;
import dev.headgate.job.Lane;
import dev.headgate.job.ParkReason;
import dev.headgate.limit.GateKey;
import dev.headgate.run.RunState;
import dev.headgate.spi.DemandTable;
import dev.headgate.spi.FrameRow;
import dev.headgate.spi.HeadOfLane;
import dev.headgate.spi.HeadRow;
import dev.headgate.spi.HistoryRow;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.LaneRow;
import dev.headgate.spi.LaneState;
import dev.headgate.spi.Pending;
import dev.headgate.spi.StepRow;
import dev.headgate.status.QueueCount;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What waits. */
record MemoryDemand(MemoryJobs jobs, MemoryLanes lanes, MemoryHistory history, MemoryFrames frames)
        implements DemandTable {
    @Override
    public List<LaneRow> ready(Collection<String> queues, int perQueue) {
        return queues.stream()
                .flatMap(queue -> lanes.standing(GateKey.queue(queue)).stream().limit(perQueue))
                .toList();
    }

    @Override
    public List<HeadOfLane> arriving(Collection<String> queues, int perQueue) {
        return queues.stream()
                .flatMap(queue -> lanes.bells(queue, perQueue).stream())
                .filter(this::makesReady)
                .toList();
    }

    /** As filing does. */
    private boolean makesReady(HeadOfLane arrival) {
        LaneRow lane = lanes.find(arrival.laneId());
        return lane == null || lane.state() != LaneState.WAITING || arrival.rank() <= lane.rank();
    }

    @Override
    public List<Due> due(Collection<String> queues, long now, int perQueue) {
        AtomicLong numbers = new AtomicLong(jobs.numbers().last());
        return queues.stream()
                .flatMap(queue -> jobs.indexes().scheduledByQueue.first(queue, perQueue).stream())
                .filter(job -> job.row().place().runAt() <= now)
                .sorted(JobIndexes.BY_DUE)
                .map(job -> due(job.with(edit -> edit.takePlace(numbers::incrementAndGet))))
                .toList();
    }

    private Due due(LiveJob filed) {
        return new Due(filed.asHead(), filed.spec().type(), !makesReady(filed.asHead()));
    }

    @Override
    public List<String> queuesWithWork(String prefix, String after, int limit) {
        TreeSet<String> found = new TreeSet<>(lanes.queuesWithWork());
        String plain = Lane.plainId("");
        for (String lane : jobs.indexes().queuedByLane.groups()) {
            if (lane.startsWith(plain)) {
                found.add(lane.substring(plain.length()));
            }
        }
        return found.tailSet(after, false).stream()
                .filter(queue -> queue.startsWith(prefix))
                .limit(limit)
                .toList();
    }

    @Override
    public List<String> queuesWithDue(String prefix, long now, int limit) {
        return scheduled(prefix)
                .filter(job -> job.row().place().runAt() <= now)
                .map(LiveJob::queue)
                .limit(limit)
                .toList();
    }

    @Override
    public Pending<Optional<Long>> nextDue(String prefix) {
        return Pending.of(
                scheduled(prefix).map(job -> job.row().place().runAt()).min(Long::compare));
    }

    /** The first of each queue. */
    private Stream<LiveJob> scheduled(String prefix) {
        return jobs.indexes().scheduledByQueue.groups().stream()
                .filter(queue -> queue.startsWith(prefix))
                .sorted()
                .map(queue ->
                        Objects.requireNonNull(jobs.indexes().scheduledByQueue.first(queue)));
    }

    @Override
    public List<HeadRow> heads(Collection<String> wanted, int perLane) {
        return jobs.heads(wanted, perLane);
    }

    @Override
    public List<StepRow> stepsOf(Collection<Long> wanted, long now) {
        Map<Long, FrameRow> asked = new HashMap<>();
        frames.find(wanted).stream()
                .filter(frame -> frame.life().endedAt() == null)
                .forEach(frame -> asked.put(frame.id(), frame));
        return jobs.all().stream()
                .filter(job -> isWaitedFor(job.row(), asked, now))
                .sorted(Comparator.comparingLong(LiveJob::id))
                .map(this::step)
                .toList();
    }

    private static boolean isWaitedFor(JobRow job, Map<Long, FrameRow> asked, long now) {
        FrameRef ref = job.spec().frame();
        FrameRow frame = ref == null ? null : asked.get(ref.frame());
        return ref != null
                && frame != null
                && ref.revision() == frame.position().revision()
                && (job.state() != JobState.SCHEDULED
                        || frame.position().state() == RunState.RUNNING
                        || job.place().runAt() <= now);
    }

    private StepRow step(LiveJob job) {
        LaneRow lane = job.state() == JobState.RUNNING ? null : lanes.find(job.laneId());
        return new StepRow(
                Objects.requireNonNull(job.spec().frame()).frame(),
                job.id(),
                job.state(),
                job.spec().lane().queue(),
                job.spec().type(),
                job.row().place().runAt(),
                job.row().lease().worker(),
                job.row().notes().parkReason(),
                lane == null ? null : lane.waitingAt(),
                1);
    }

    /** What jobs have in common that are counted together. */
    private record Standing(
            JobState state,
            String queue,
            @Nullable String worker,
            @Nullable ParkReason parkReason,
            String parkedType,
            @Nullable GateKey waitingAt) {
        private static Standing of(StepRow step) {
            String parkedType = step.parkReason() == null ? "" : step.type();
            return new Standing(
                    step.state(), step.queue(), step.worker(), step.parkReason(), parkedType, step.waitingAt());
        }
    }

    @Override
    public List<StepRow> stepsBelow(long root, long now) {
        List<Long> tree = new ArrayList<>(List.of(root));
        frames.tree(root, 0, Integer.MAX_VALUE).forEach(frame -> tree.add(frame.id()));
        Map<Standing, List<StepRow>> alike = new LinkedHashMap<>();
        stepsOf(tree, now)
                .forEach(step -> alike.computeIfAbsent(Standing.of(step), each -> new ArrayList<>())
                        .add(step));
        return alike.values().stream().map(all -> counted(root, all)).toList();
    }

    private static StepRow counted(long root, List<StepRow> alike) {
        StepRow first = alike.getFirst();
        return new StepRow(
                root,
                first.job(),
                first.state(),
                first.queue(),
                alike.stream().map(StepRow::type).min(Comparator.naturalOrder()).orElseThrow(),
                alike.stream().mapToLong(StepRow::runAt).min().orElseThrow(),
                first.worker(),
                first.parkReason(),
                first.waitingAt(),
                alike.size());
    }

    @Override
    public Unjudged unjudged(String queue, long beforeRank, int max) {
        long ready = lanes.standing(GateKey.queue(queue)).stream()
                .filter(lane -> lane.rank() < beforeRank)
                .limit(max)
                .count();
        List<HeadOfLane> rung = lanes.bells(queue, max).stream()
                .filter(bell -> bell.rank() < beforeRank)
                .toList();
        long arriving = rung.stream()
                .filter(bell -> !isReady(bell) && makesReady(bell))
                .map(HeadOfLane::laneId)
                .distinct()
                .count();
        return new Unjudged((int) (ready + arriving), Math.max(ready, rung.size()) >= max);
    }

    private boolean isReady(HeadOfLane arrival) {
        LaneRow lane = lanes.find(arrival.laneId());
        return lane != null && lane.state() == LaneState.READY;
    }

    @Override
    public List<InLine> line(GateKey gate, @Nullable String queue, InLine after, int limit) {
        return lanes.standing(gate).stream()
                .filter(lane -> queue == null || queue.equals(lane.lane().queue()))
                .limit(LANES_MAX)
                .flatMap(lane -> jobs.indexes().queuedByLane.in(lane.id()).stream())
                .map(job -> new InLine(job.id(), job.row().place().rank()))
                .filter(job -> job.rank() > after.rank() || (job.rank() == after.rank() && job.job() > after.job()))
                .sorted(Comparator.comparingLong(InLine::rank).thenComparingLong(InLine::job))
                .limit(limit)
                .toList();
    }

    @Override
    public Map<GateKey, Long> inLines(Collection<GateKey> gates, int max) {
        return gates.stream()
                .collect(Collectors.toMap(
                        Function.identity(),
                        gate -> lanes.standing(gate).stream()
                                .flatMap(lane -> jobs.indexes().queuedByLane.in(lane.id()).stream())
                                .limit(max)
                                .count()));
    }

    @Override
    public Kept kept(int max) {
        NavigableMap<Long, HistoryRow> ended = history.ended.all();
        return new Kept(
                frames.frames.all().values().stream()
                        .filter(frame -> frame.tree().parent() == null)
                        .limit(max)
                        .count(),
                Math.min(max, frames.artifacts.all().size()),
                Math.min(max, ended.size()),
                ended.descendingMap().values().stream()
                        .limit(max)
                        .filter(job -> job.end().result() != null)
                        .count());
    }

    @Override
    public List<OldestRow> oldest(int look) {
        Map<String, List<LiveJob>> queues = jobs.all().stream()
                .sorted(Comparator.comparingLong(LiveJob::id))
                .limit(look)
                .collect(Collectors.groupingBy(LiveJob::queue, TreeMap::new, Collectors.toList()));
        return queues.entrySet().stream()
                .map(queue -> new OldestRow(
                        queue.getKey(),
                        queue.getValue().stream()
                                .filter(job -> job.state() == JobState.QUEUED)
                                .map(job -> job.row().place().runAt())
                                .min(Comparator.naturalOrder())
                                .orElse(null),
                        queue.getValue().size()))
                .toList();
    }

    @Override
    public List<QueueCount> inLine(Collection<String> queues) {
        return queues.stream()
                .map(queue -> new QueueCount(queue, JobState.QUEUED, inLine(queue)))
                .filter(count -> count.jobs() > 0)
                .toList();
    }

    private long inLine(String queue) {
        return jobs.all().stream()
                .filter(job -> job.state() == JobState.QUEUED && job.queue().equals(queue))
                .map(job -> lanes.find(job.laneId()))
                .filter(lane -> lane != null && lane.state() == LaneState.WAITING)
                .limit(QueueCount.COUNTED_MAX)
                .count();
    }
}
