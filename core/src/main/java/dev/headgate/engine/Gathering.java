package dev.headgate.engine;

import dev.headgate.handler.BatchHandler;
import dev.headgate.handler.BatchMember;
import dev.headgate.handler.BatchOptions;
import dev.headgate.handler.Company;
import dev.headgate.handler.JobContext;
import dev.headgate.job.Lane;
import java.util.ArrayList;
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
import org.jspecify.annotations.Nullable;

/**
 * Where the jobs of one type wait for each other until they make a batch.
 *
 * <p>Design note: to the engine each member is a job like any other, with a thread, a lease, a time-out; only its code
 * waits here until the batch has told it what came of it. So nothing that holds for single jobs can be wrong for members.
 * A batch goes when it is full, when nobody else is on the way, or when its first member has waited long enough. It runs
 * on a thread of its own: on that of a member, the cancellation of one would be the failure of all.
 */
public final class Gathering<T> implements Company {
    private final String type;
    private final BatchOptions options;
    private final BatchHandler<T> code;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Long, String> groupOfJob = new HashMap<>();
    private final Map<String, Group<T>> groups = new HashMap<>();

    public Gathering(String type, BatchOptions options, BatchHandler<T> code) {
        this.type = type;
        this.options = options;
        this.code = code;
    }

    /** Those who may go together: who is still on the way, and who has come. */
    private static final class Group<T> {
        private final Set<Long> expected = new HashSet<>();
        private List<Member<T>> come = new ArrayList<>();

        private List<Member<T>> take() {
            List<Member<T>> all = come;
            come = new ArrayList<>();
            return all;
        }
    }

    /** A batch at work. */
    private static final class Batch {
        private int stayed;
        private @Nullable Thread thread;
    }

    private static final class Member<T> implements BatchMember<T> {
        private final T payload;
        private final JobContext job;
        private final CompletableFuture<@Nullable Object> answer = new CompletableFuture<>();
        private @Nullable Batch batch;

        private Member(T payload, JobContext job) {
            this.payload = payload;
            this.job = job;
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
            answer.complete(result);
        }

        @Override
        public void fail(Exception why) {
            answer.completeExceptionally(why);
        }
    }

    @Override
    public void expect(long job, Lane lane) {
        lock.lock();
        try {
            String key = options.isByLane() ? lane.id() : "";
            groupOfJob.put(job, key);
            groups.computeIfAbsent(key, each -> new Group<>()).expected.add(job);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void left(long job) {
        lock.lock();
        try {
            String key = groupOfJob.remove(job);
            Group<T> group = key == null ? null : groups.get(key);
            if (group == null) {
                return;
            }
            group.expected.remove(job);
            goIfComplete(group);
            if (group.expected.isEmpty() && group.come.isEmpty()) {
                groups.remove(key);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The code of each member: waits for the others, and then for what the batch says. */
    public @Nullable Object join(T payload, JobContext job) throws Exception {
        Member<T> member = new Member<>(payload, job);
        boolean isFirst = arrive(member);
        try {
            return isFirst && !options.linger().isZero() ? linger(member) : member.answer.get();
        } catch (InterruptedException stopped) {
            leave(member);
            throw stopped;
        } catch (ExecutionException failed) {
            switch (failed.getCause()) {
                case Exception exception -> throw exception;
                case Error error -> throw error;
                case null, default -> throw failed;
            }
        }
    }

    private @Nullable Object linger(Member<T> first) throws InterruptedException, ExecutionException {
        try {
            return first.answer.get(options.linger().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException over) {
            lock.lock();
            try {
                Group<T> group = groupOf(first);
                if (group.come.contains(first)) {
                    go(group.take());
                }
            } finally {
                lock.unlock();
            }
            return first.answer.get();
        }
    }

    /** Whether it is the first of a new batch. */
    private boolean arrive(Member<T> member) {
        lock.lock();
        try {
            Group<T> group = groupOf(member);
            boolean isFirst = group.come.isEmpty();
            group.expected.remove(member.job().id().value());
            group.come.add(member);
            goIfComplete(group);
            return isFirst;
        } finally {
            lock.unlock();
        }
    }

    private Group<T> groupOf(Member<T> member) {
        String key = groupOfJob.getOrDefault(member.job().id().value(), "");
        return groups.computeIfAbsent(key, each -> new Group<>());
    }

    private void goIfComplete(Group<T> group) {
        boolean isNobodyComing = group.expected.isEmpty() && options.linger().isZero();
        if (group.come.size() >= options.most() || (isNobodyComing && !group.come.isEmpty())) {
            go(group.take());
        }
    }

    /** One that is stopped before its batch began is not in it. If the first one leaves, nobody times the rest: they go. */
    private void leave(Member<T> member) {
        lock.lock();
        try {
            Batch batch = member.batch;
            if (batch == null) {
                Group<T> group = groupOf(member);
                boolean wasFirst = !group.come.isEmpty() && group.come.getFirst() == member;
                group.come.remove(member);
                if (wasFirst && !group.come.isEmpty()) {
                    go(group.take());
                }
            } else if (--batch.stayed == 0 && batch.thread != null) {
                batch.thread.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    private void go(List<Member<T>> members) {
        Batch batch = new Batch();
        batch.stayed = members.size();
        members.forEach(member -> member.batch = batch);
        batch.thread = Thread.ofVirtual().name("headgate-batch-" + type).start(() -> work(members));
    }

    private void work(List<Member<T>> members) {
        try {
            code.handle(List.copyOf(members));
            members.forEach(BatchMember::succeed);
        } catch (Throwable failure) {
            members.forEach(member -> member.answer.completeExceptionally(failure));
        }
    }
}
