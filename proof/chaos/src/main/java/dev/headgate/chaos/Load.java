package dev.headgate.chaos;

import dev.headgate.Headgate;
import dev.headgate.JobOptions;
import dev.headgate.handler.JobContext;
import dev.headgate.job.JobType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The jobs that run while things break, and the limits they run under. */
final class Load {
    static final JobType<Work> WORK = JobType.of("work", Work.class);
    static final Duration LEASE = Duration.ofSeconds(2);
    static final String API = "api";
    static final String WINDOW = "window";
    static final int API_AT_ONCE_MAX = 9;
    static final int TENANTS = 5;
    static final int TENANT_AT_ONCE = 2;

    private static final Duration KEPT = Duration.ofHours(6);
    private static final Pattern NUMBER = Pattern.compile("\"n\":(\\d+)");
    private static final Pattern EPOCH = Pattern.compile("\"epoch\":(\\d+)");

    private Load() {}

    /** How a handler behaves. */
    enum Manner {
        /** Ends at once when it is interrupted. */
        PLAIN,
        /** Goes on to its end although it was interrupted, as code does that never looks. */
        STUBBORN,
        /** Takes its process down. */
        HALT
    }

    /** One job: its number, given by the client, how long it runs the first time, and how long later. */
    record Work(long n, long ms, long againMs, Manner manner) {}

    /** What a handler returns: the accepted result names the lease that it came from. */
    record Done(long n, long epoch) {}

    /**
     * One in twenty is long enough to be caught in the middle; a third goes on when interrupted. A job that was cut off is
     * brief, or one that is always caught would never end.
     */
    static Work work(long n) {
        long ms = n % 20 == 0 ? 900 : 10 + n * 7 % 40;
        return new Work(n, ms, 20, n % 3 == 0 ? Manner.STUBBORN : Manner.PLAIN);
    }

    static List<String> gates(long n) {
        List<String> gates = new ArrayList<>(List.of(API, "tenant:" + n % TENANTS));
        if (n % 4 == 0) {
            gates.add(WINDOW);
        }
        return gates;
    }

    static void options(Work work, JobOptions job) {
        // No more attempts than losses are possible: a job ends badly only if it lost its worker three times.
        job.gates(gates(work.n())).attempts(100);
    }

    /** At most so many jobs of a gate run at once, whatever was changed meanwhile. */
    static Map<String, Integer> most() {
        Map<String, Integer> most = new HashMap<>(Map.of(API, API_AT_ONCE_MAX));
        for (int tenant = 0; tenant < TENANTS; tenant++) {
            most.put("tenant:" + tenant, TENANT_AT_ONCE);
        }
        return most;
    }

    /** States the limits; {@code mood} changes those that change during a run. */
    static void policies(Headgate headgate, int mood) {
        policies(headgate, mood, "margin auto");
    }

    /** The same with this margin of the rate: with none, the first claim of a cold process runs too. */
    static void policies(Headgate headgate, int mood, String margin) {
        String api = "concurrency %d; rate %d/1s burst 10 %s".formatted(API_AT_ONCE_MAX - mood % 3, rate(mood), margin);
        headgate.policies()
                .replacing()
                .gate(API, gate -> gate.limits(api).journal(KEPT))
                .gate(WINDOW, gate -> gate.limits("window 12/1s").journal(KEPT))
                .gate(
                        "tenant:*",
                        gate -> gate.limits("concurrency " + TENANT_AT_ONCE).journal(KEPT));
    }

    /** What the gate of all jobs lets start in a second. */
    static int rate(int mood) {
        return mood % 2 == 0 ? 40 : 30;
    }

    /** Runs one job and writes down what really happened. */
    static Done run(Work work, JobContext job, Trail trail) throws InterruptedException {
        long process = Jvm.ownNumber();
        trail.add(process, job.id(), job.epoch(), "START", work.n());
        if (work.manner() == Manner.HALT) {
            Runtime.getRuntime().halt(137);
        }
        long ms = job.epoch() == 1 ? work.ms() : work.againMs();
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
        while (until - System.nanoTime() > 0) {
            LockSupport.parkNanos(until - System.nanoTime());
            if (Thread.interrupted() && work.manner() == Manner.PLAIN) {
                trail.add(process, job.id(), job.epoch(), "STOP", work.n());
                throw new InterruptedException("stopped");
            }
        }
        trail.add(process, job.id(), job.epoch(), "END", work.n());
        return new Done(work.n(), job.epoch());
    }

    /** The client's number in a payload or a result. */
    static long number(String json) {
        return find(NUMBER, json);
    }

    static long epoch(String json) {
        return find(EPOCH, json);
    }

    private static long find(Pattern pattern, String json) {
        Matcher found = pattern.matcher(json);
        if (!found.find()) {
            throw new IllegalStateException("expected %s in %s".formatted(pattern, json));
        }
        return Long.parseLong(found.group(1));
    }
}
