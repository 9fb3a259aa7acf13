package dev.headgate.chaos;

import dev.headgate.Headgate;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Does harm, each kind in a rhythm of its own with a seeded jitter. The seed repeats the order of faults and their
 * victims; what the machine makes of it is its own.
 */
final class Storm {
    private static final Duration SOON = Duration.ofMillis(500);

    private final Target target;
    private final Fleet fleet;
    private final Random random;
    private final Map<Fault, Duration> rhythm = new EnumMap<>(Fault.class);
    private final Map<Fault, Long> done = new EnumMap<>(Fault.class);
    private final PriorityQueue<Next> next = new PriorityQueue<>(Comparator.comparingLong(Next::at));
    private int mood;

    /** The storm's own time, which stands still between storms. */
    private long clock;

    private record Next(Fault fault, long at) {}

    Storm(Target target, Fleet fleet, Random random) {
        this.target = target;
        this.fleet = fleet;
        this.random = random;
        rhythm.put(Fault.KILL, Duration.ofMillis(2_300));
        rhythm.put(Fault.STOP, Duration.ofSeconds(9));
        rhythm.put(Fault.TERM, Duration.ofSeconds(12));
        rhythm.put(Fault.CLIENT_KILL, Duration.ofSeconds(19));
        rhythm.put(Fault.POLICY, Duration.ofSeconds(8));
        rhythm.putAll(target.rhythm());
        rhythm.forEach((fault, every) -> plan(fault, every));
    }

    private void plan(Fault fault, Duration in) {
        long half = in.toNanos() / 2;
        next.add(new Next(fault, clock + half + Math.floorMod(random.nextLong(), in.toNanos())));
    }

    /** How many of each kind have happened. */
    Map<Fault, Long> done() {
        Map<Fault, Long> all = new EnumMap<>(done);
        if (fleet.skewed() > 0) {
            all.put(Fault.CLOCK, fleet.skewed());
        }
        return all;
    }

    /** What the limits are like now. */
    int mood() {
        return mood;
    }

    /** Harms for so long, then makes everything whole. */
    void blow(Duration time) throws Exception {
        long base = clock - System.nanoTime();
        long end = clock + time.toNanos();
        while (clock < end) {
            Next due = next.peek();
            long at = due == null ? end : Math.min(end, due.at());
            if (at > clock) {
                LockSupport.parkNanos(at - clock);
            } else if (due != null) {
                next.remove();
                boolean isDone = hurt(due.fault());
                clock = base + System.nanoTime();
                plan(due.fault(), isDone ? rhythm.getOrDefault(due.fault(), SOON) : SOON);
                if (isDone) {
                    done.merge(due.fault(), 1L, Long::sum);
                }
            }
            clock = base + System.nanoTime();
        }
        fleet.resume();
        target.heal();
    }

    private boolean hurt(Fault fault) throws Exception {
        return switch (fault) {
            case KILL -> kill();
            case STOP -> stop();
            case TERM -> terminate();
            case CLIENT_KILL -> fleet.killClient();
            case POLICY -> changeLimits();
            default -> target.hurt(fault, fleet, random);
        };
    }

    private boolean kill() throws InterruptedException {
        Jvm victim = fleet.any(random);
        if (victim != null) {
            victim.kill();
        }
        return victim != null;
    }

    private boolean stop() {
        Jvm victim = fleet.any(random);
        if (victim == null) {
            return false;
        }
        long lease = Load.LEASE.toMillis();
        long ms = lease / 2 + Math.floorMod(random.nextLong(), lease * 5 / 2);
        victim.signal("STOP");
        Thread.ofVirtual().start(() -> {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(ms));
            victim.signal("CONT");
        });
        return true;
    }

    private boolean terminate() {
        Jvm victim = fleet.any(random);
        if (victim != null) {
            victim.signal("TERM");
        }
        return victim != null;
    }

    private boolean changeLimits() {
        try (Headgate headgate = Headgate.open(target.url())) {
            Load.policies(headgate, mood + 1);
            mood++;
            return true;
        } catch (RuntimeException away) {
            return false;
        }
    }
}
