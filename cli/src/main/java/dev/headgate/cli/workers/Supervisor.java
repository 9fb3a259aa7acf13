package dev.headgate.cli.workers;

import dev.headgate.Demand;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.CommandException;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.display.Wording;
import dev.headgate.internal.pool.PoolRule;
import dev.headgate.internal.pool.PoolSample;
import dev.headgate.internal.pool.PoolState;
import dev.headgate.internal.pool.Restarts;
import dev.headgate.internal.resource.FreeMemory;
import dev.headgate.resource.PoolBounds;
import dev.headgate.store.StoreUnavailableException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Runs a worker in several processes: as many as the work needs, by the same rule as slots. A process that crashes is
 * restarted, later each time; one that crashes at every start ends all of it. Everything happens on the calling thread,
 * in the order of its events.
 */
final class Supervisor {
    private static final int ASK_MAX = 10_000;
    private static final Duration AFTER_DRAIN = Duration.ofSeconds(10);

    private final CommandContext shell;
    private final Demand demand;
    private final Team team;
    private final PoolBounds bounds;
    private final ChildProcess relaunch;
    private final BlockingQueue<Runnable> events = new LinkedBlockingQueue<>();
    private final TreeMap<Integer, Member> members = new TreeMap<>();
    private final String mark = ChildProcess.mark();
    private PoolState pool;
    private long nextLook;
    private boolean isStopping;
    private boolean isMemoryTold;
    private long stopBy;
    private @Nullable CommandException failure;

    /**
     * What each process does.
     *
     * @param slots the most jobs that one process runs at once
     */
    record Team(String name, List<String> queues, int slots, Duration drain) {}

    /** One process of the team: running, ended, or about to start. */
    private static final class Member {
        private final String name;

        /** The name of its worker in the store. Another supervisor may have the same name as this one. */
        private final String worker;

        private final Restarts restarts = new Restarts();
        private @Nullable Process process;
        private long since;
        private boolean isLeaving;

        private Member(String name, String mark, long now) {
            this.name = name;
            this.worker = name + "-" + mark;
            this.since = now;
        }
    }

    Supervisor(CommandContext shell, Demand demand, Team team, PoolBounds bounds, ChildProcess relaunch) {
        this.shell = shell;
        this.demand = demand;
        this.team = team;
        this.bounds = bounds;
        this.relaunch = relaunch;
        this.pool =
                PoolState.first(bounds, System.nanoTime() - bounds.cooldown().toNanos());
    }

    /** Until it is told to stop; throws a {@link CommandException} if it gives up. */
    void run() throws InterruptedException {
        shell.signals().onFirstAndSecond(exit -> events.add(this::stop), () -> events.add(this::handBack));
        nextLook = System.nanoTime() + bounds.every().toNanos();
        while (!isStopping || !members.isEmpty()) {
            long now = System.nanoTime();
            if (isStopping) {
                insist(now);
            } else {
                look(now);
                fill(now);
                startDue(now);
            }
            Runnable event = events.poll(Math.max(1, next(now)), TimeUnit.NANOSECONDS);
            if (event != null) {
                event.run();
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private long next(long now) {
        long next = isStopping ? stopBy : nextLook;
        for (Member member : members.values()) {
            next = member.process == null && member.since - next < 0 ? member.since : next;
        }
        return next - now;
    }

    private void look(long now) {
        if (nextLook - now > 0 || bounds.isFixed()) {
            nextLook = bounds.isFixed() ? now + bounds.every().toNanos() : nextLook;
            return;
        }
        nextLook = now + bounds.every().toNanos();
        try {
            PoolState before = pool;
            pool = PoolRule.next(bounds, before, seen(now));
            if (pool.size() != before.size()) {
                shell.note("%s, before %d: %s".formatted(processes(pool.size()), before.size(), pool.reason()));
            }
        } catch (StoreUnavailableException away) {
            // A supervisor that does not know what waits keeps its size. The workers log that the store is away.
        }
    }

    private PoolSample seen(long now) {
        Set<String> ours =
                members.values().stream().map(member -> member.worker).collect(Collectors.toSet());
        int jobs = demand.workers().stream()
                .filter(worker -> ours.contains(worker.name()))
                .mapToInt(worker -> worker.busy())
                .sum();
        int busy = Math.ceilDiv(jobs, team.slots);
        // Asked even if slots are free: a process that is just starting does not claim yet.
        int room = Math.clamp((long) bounds.max() * team.slots - jobs, 0, ASK_MAX);
        int waiting = room == 0 ? 0 : demand.admissible(room, team.queues.toArray(String[]::new));
        int more = Math.max(0, Math.ceilDiv(jobs + waiting, team.slots) - busy);
        FreeMemory free = freeMemory();
        if (more > free.more() && !isMemoryTold) {
            isMemoryTold = true;
            shell.note(
                    "%d more would have work, but memory is short: %,d MB are left if those at work take all they may, and each may take %,d MB (said once)"
                            .formatted(more, Math.max(0, free.bytes()) >> 20, free.each() >> 20));
        }
        return new PoolSample(now, busy, Math.min(more, free.more()), free.more() == 0);
    }

    /** Each process may come to take as much as this one, because they are started alike. */
    private FreeMemory freeMemory() {
        List<Long> children = new ArrayList<>();
        for (Member member : members.values()) {
            if (member.process != null) {
                children.add(member.process.pid());
            }
        }
        return FreeMemory.beside(children, members.size() - children.size());
    }

    /** Makes as many members as there should be processes; the highest numbers are removed first. */
    private void fill(long now) {
        long staying =
                members.values().stream().filter(member -> !member.isLeaving).count();
        for (int number = 1; staying < pool.size(); number++) {
            if (!members.containsKey(number)) {
                members.put(number, new Member(team.name + "." + number, mark, now));
                staying++;
            }
        }
        for (Member member : List.copyOf(members.descendingMap().values())) {
            if (staying > pool.size() && !member.isLeaving) {
                leave(member);
                staying--;
            }
        }
    }

    private void leave(Member member) {
        member.isLeaving = true;
        if (member.process == null) {
            members.values().remove(member);
        } else {
            ParentWatch.ask(member.process);
        }
    }

    private void startDue(long now) {
        for (Member member : List.copyOf(members.values())) {
            if (member.process == null && member.since - now <= 0) {
                start(member, now);
            }
        }
    }

    private void start(Member member, long now) {
        member.since = now;
        try {
            Process process = relaunch.start(member.worker);
            member.process = process;
            var unused = process.onExit().thenRun(() -> events.add(() -> ended(member, process.exitValue())));
        } catch (IOException noProcess) {
            ended(member, "without having begun: " + noProcess.getMessage());
        }
    }

    private void ended(Member member, int exit) {
        member.process = null;
        if (member.isLeaving || isStopping) {
            members.values().remove(member);
        } else if (exit == ExitCode.USAGE) {
            giveUp(CommandException.usage(
                    "gave up: process %s was started in a way that it does not understand; see above"
                            .formatted(member.name)));
        } else {
            ended(member, "with exit code " + exit);
        }
    }

    private void ended(Member member, String how) {
        long now = System.nanoTime();
        switch (member.restarts.ended(Duration.ofNanos(now - member.since), how)) {
            case Restarts.Next.Again(Duration after) -> {
                shell.note("process %s ended %s; it is started again in %s"
                        .formatted(member.name, how, Wording.span(after)));
                member.since = now + after.toNanos();
            }
            case Restarts.Next.GiveUp(String reason) ->
                giveUp(CommandException.bad(
                        "gave up on process %s: %s; what it said is above".formatted(member.name, reason)));
        }
    }

    private void giveUp(CommandException why) {
        failure = failure == null ? why : failure;
        stop();
    }

    private void stop() {
        if (isStopping) {
            return;
        }
        isStopping = true;
        stopBy = System.nanoTime() + team.drain.plus(AFTER_DRAIN).toNanos();
        long running = members.values().stream()
                .filter(member -> member.process != null)
                .count();
        shell.note("stopping %s".formatted(processes(running)));
        List.copyOf(members.values()).forEach(this::leave);
    }

    private void handBack() {
        shell.note("what runs is interrupted and handed back; again to end at once");
        for (Member member : members.values()) {
            if (member.process != null) {
                ParentWatch.insist(member.process);
            }
        }
    }

    private static String processes(long number) {
        return number + (number == 1 ? " process" : " processes");
    }

    /** A process that did not stop in its time is ended. */
    private void insist(long now) {
        if (stopBy - now <= 0) {
            stopBy = now + AFTER_DRAIN.toNanos();
            for (Member member : members.values()) {
                if (member.process != null) {
                    member.process.destroyForcibly();
                }
            }
        }
    }
}
