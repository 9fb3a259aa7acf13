package dev.headgate.internal.worker;

import dev.headgate.handler.BatchHandler;
import dev.headgate.handler.BatchMember;
import dev.headgate.handler.BatchOptions;
import dev.headgate.handler.JobContext;
import dev.headgate.internal.handler.BatchGroup;
import dev.headgate.internal.time.Nanos;
import dev.headgate.job.Lane;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Collects jobs of one type until they make a batch.
 *
 * <p>Design note: each member is a job like any other, with a thread, a lease and a timeout; only its handler waits
 * here until the batch has reported a result for it. So everything that holds for single jobs holds for members. A
 * batch starts when it is full, when no other member is on the way, when none can come because the batch has all slots
 * or its gates are full, when its first member has waited long enough, or before a member would be too late for its
 * limits. It runs on a thread of its own: on the thread of a member, cancelling that member would fail all of them.
 */
public final class BatchCollector<T> implements BatchGroup {
    private final String type;
    private final BatchOptions options;
    private final BatchHandler<T> code;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Ticket, Group<T>> groupOf = new HashMap<>();
    private final Map<String, Group<T>> groups = new HashMap<>();

    public BatchCollector(String type, BatchOptions options, BatchHandler<T> code) {
        this.type = type;
        this.options = options;
        this.code = code;
    }

    /** Members that may share a batch: those on the way, and those that have come. */
    private static final class Group<T> {
        private final Set<Ticket> expected = new HashSet<>();
        private List<Member<T>> come = new ArrayList<>();

        /** All that have come, in the order in which they stood in line: their threads come here in any order. */
        private List<Member<T>> take() {
            List<Member<T>> all = come;
            come = new ArrayList<>();
            all.sort(Comparator.comparingLong(Member::rank));
            return all;
        }
    }

    /** A batch that runs. */
    private static final class Batch<T> {
        private final List<Member<T>> members;
        private @Nullable Thread thread;

        private Batch(List<Member<T>> members) {
            this.members = members;
        }
    }

    private static final class Member<T> implements BatchMember<T> {
        private final T payload;
        private final JobContext job;
        private final Group<T> group;
        private final Consumer<Member<T>> onAnswer;
        private final CompletableFuture<@Nullable Object> answer = new CompletableFuture<>();
        private @Nullable Batch<T> batch;
        private boolean isStopped;
        /** When this member came, it waited and no other was on the way. */
        private boolean wasLast;

        private Member(T payload, JobContext job, Group<T> group, Consumer<Member<T>> onAnswer) {
            this.payload = payload;
            this.job = job;
            this.group = group;
            this.onAnswer = onAnswer;
        }

        private long rank() {
            return job instanceof RunningJob run ? run.row().place().rank() : 0;
        }

        @Override
        public T payload() {
            return payload;
        }

        @Override
        public JobContext job() {
            return job;
        }

        @Override
        public void succeed(@Nullable Object result) {
            if (answer.complete(result)) {
                onAnswer.accept(this);
            }
        }

        @Override
        public void fail(Exception why) {
            if (answer.completeExceptionally(why)) {
                onAnswer.accept(this);
            }
        }
    }

    @Override
    public void expect(Ticket ticket, Lane lane) {
        lock.lock();
        try {
            Group<T> group = groups.computeIfAbsent(options.isByLane() ? lane.id() : "", key -> new Group<>());
            group.expected.add(ticket);
            groupOf.put(ticket, group);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void left(Ticket ticket) {
        lock.lock();
        try {
            Group<T> group = groupOf.remove(ticket);
            if (group == null) {
                return;
            }
            group.expected.remove(ticket);
            goIfComplete(group);
            if (group.expected.isEmpty() && group.come.isEmpty()) {
                groups.values().remove(group);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The code of each member: waits for the other members, and then for its result from the batch. */
    public @Nullable Object join(T payload, JobContext job) throws Exception {
        Member<T> member = arrive(payload, job);
        if (member.wasLast && !canGrow(member)) {
            goNow(member);
        }
        try {
            return await(member);
        } catch (ExecutionException failed) {
            switch (failed.getCause()) {
                case Exception exception -> throw exception;
                case Error error -> throw error;
                case null, default -> throw failed;
            }
        }
    }

    private @Nullable Object await(Member<T> member) throws InterruptedException, ExecutionException {
        boolean isFirst = isFirst(member);
        while (true) {
            try {
                long most =
                        isFirst && !options.linger().isZero() ? options.linger().toNanos() : Nanos.FOR_EVER;
                long linger = Math.min(most, patience(member));
                return linger == Nanos.FOR_EVER ? member.answer.get() : linger(member, linger);
            } catch (InterruptedException stopped) {
                if (!stop(member)) {
                    throw stopped;
                }
            }
        }
    }

    /** How long a member can wait for others and still be in time itself. Half of its time is for the way from here. */
    private static <T> long patience(Member<T> member) {
        long left = member.job instanceof RunningJob run ? run.entryLeftNanos() : Nanos.FOR_EVER;
        return left == Nanos.FOR_EVER ? left : Math.max(0, left / 2);
    }

    private @Nullable Object linger(Member<T> first, long nanos) throws InterruptedException, ExecutionException {
        try {
            return first.answer.get(nanos, TimeUnit.NANOSECONDS);
        } catch (TimeoutException over) {
            goNow(first);
            return first.answer.get();
        }
    }

    /** Starts a batch with the members that have come. */
    private void goNow(Member<T> member) {
        lock.lock();
        try {
            if (member.group.come.contains(member)) {
                go(member.group.take());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether another member may come while these wait. Asked without the lock: it may ask the store. */
    private boolean canGrow(Member<T> member) {
        List<RunningJob> waiting = new ArrayList<>();
        lock.lock();
        try {
            for (Member<T> each : member.group.come) {
                if (!(each.job instanceof RunningJob run)) {
                    return true;
                }
                waiting.add(run);
            }
        } finally {
            lock.unlock();
        }
        try {
            return waiting.isEmpty() || waiting.getFirst().canBeJoined(waiting, options.linger());
        } catch (RuntimeException away) {
            return true; // then the linger time decides
        }
    }

    private Member<T> arrive(T payload, JobContext job) {
        lock.lock();
        try {
            Ticket ticket = new Ticket(job.id().value(), job.epoch());
            Group<T> group = groupOf.getOrDefault(ticket, new Group<>());
            Member<T> member = new Member<>(payload, job, group, this::answered);
            group.expected.remove(ticket);
            group.come.add(member);
            goIfComplete(group);
            member.wasLast = member.batch == null && group.expected.isEmpty();
            return member;
        } finally {
            lock.unlock();
        }
    }

    private boolean isFirst(Member<T> member) {
        lock.lock();
        try {
            return !member.group.come.isEmpty() && member.group.come.getFirst() == member;
        } finally {
            lock.unlock();
        }
    }

    private void goIfComplete(Group<T> group) {
        boolean isNobodyComing = group.expected.isEmpty() && options.linger().isZero();
        if (group.come.size() >= options.most() || (isNobodyComing && !group.come.isEmpty())) {
            go(group.take());
        }
    }

    /**
     * Takes a member out if its batch has not begun: false if it has. A member of a running batch stays until the batch
     * has reported a result for it, because its work goes on. If the first member leaves, no member times the others,
     * so they start.
     */
    private boolean stop(Member<T> member) {
        lock.lock();
        try {
            if (member.batch != null) {
                member.isStopped = true;
                interruptIfAllStopped(member.batch);
                return true;
            }
            List<Member<T>> come = member.group.come;
            boolean wasFirst = !come.isEmpty() && come.getFirst() == member;
            come.remove(member);
            if (wasFirst && !come.isEmpty()) {
                go(member.group.take());
            }
            return false;
        } finally {
            lock.unlock();
        }
    }

    private void answered(Member<T> member) {
        lock.lock();
        try {
            if (member.batch != null) {
                interruptIfAllStopped(member.batch);
            }
        } finally {
            lock.unlock();
        }
    }

    /** If all members that still wait were asked to stop, the code is asked too. */
    private void interruptIfAllStopped(Batch<T> batch) {
        boolean isAnyStopped = false;
        for (Member<T> member : batch.members) {
            if (!member.answer.isDone() && !member.isStopped) {
                return;
            }
            isAnyStopped |= !member.answer.isDone();
        }
        if (isAnyStopped && batch.thread != null) {
            batch.thread.interrupt();
        }
    }

    private void go(List<Member<T>> members) {
        Batch<T> batch = new Batch<>(members);
        members.forEach(member -> member.batch = batch);
        batch.thread = Thread.ofVirtual().name("headgate-batch-" + type).start(() -> work(members));
    }

    private void work(List<Member<T>> members) {
        List<Member<T>> going = new ArrayList<>(members);
        going.removeIf(member -> !enters(member));
        if (going.isEmpty()) {
            return;
        }
        try {
            code.handle(List.copyOf(going));
            going.forEach(BatchMember::succeed);
        } catch (Throwable failure) {
            going.forEach(member -> member.answer.completeExceptionally(failure));
        }
    }

    /**
     * Judges each member by itself, on the thread and at the moment of the start; the others start without it if it may
     * not.
     */
    private static <T> boolean enters(Member<T> member) {
        try {
            if (member.job instanceof RunningJob run) {
                run.enter();
            }
            return true;
        } catch (RuntimeException not) {
            member.answer.completeExceptionally(not);
            return false;
        }
    }
}
