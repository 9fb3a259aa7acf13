package dev.headgate.server.simulation;

import dev.headgate.Headgate;
import dev.headgate.Simulation;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Spans;
import dev.headgate.simulate.Forecast;
import dev.headgate.simulate.Forecast.KeyForecast;
import dev.headgate.status.Overview.WorkerView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A simulation that is asked for.
 *
 * @param isBacklog plays what waits and runs in the store, also with arrivals
 * @param slots absent for those of the live workers
 * @param run how long jobs run; absent if history tells
 * @param turn what a worker adds to a run that is told or guessed
 */
public record WhatIf(
        boolean isBacklog,
        List<ArrivalPattern> arrivals,
        @Nullable Integer slots,
        Duration longest,
        @Nullable Duration run,
        Duration turn) {
    /** As many jobs are played at most. */
    public static final int JOBS_MAX = 1_000_000;

    public static final Duration LONGEST = Duration.ofDays(7);
    public static final Duration TURN = Duration.ofMillis(5);

    /** So the queues of a server's own worker begin, which runs no jobs of others. */
    private static final String OWN = "headgate:";

    private static final int SLOTS_DEFAULT = 10;
    private static final Duration LONGEST_MAX = Duration.ofDays(3_660);
    private static final Duration RUN_MAX = Duration.ofDays(366);
    private static final Duration TURN_MAX = Duration.ofHours(1);

    public WhatIf {
        arrivals = List.copyOf(arrivals);
        long coming = arrivals.stream().mapToLong(ArrivalPattern::count).sum();
        if (coming > JOBS_MAX) {
            throw new IllegalArgumentException(
                    "arrivals: expected at most %d jobs in all, got %d".formatted(JOBS_MAX, coming));
        }
        if (slots != null && slots < 1) {
            throw new IllegalArgumentException("slots: expected at least 1, got %d".formatted(slots));
        }
        check("duration", longest, Duration.ofNanos(1_000), LONGEST_MAX);
        check("turn", turn, Duration.ZERO, TURN_MAX);
        if (run != null) {
            check("run", run, Duration.ZERO, RUN_MAX);
        }
    }

    private static void check(String what, Duration span, Duration least, Duration most) {
        if (span.compareTo(least) < 0 || span.compareTo(most) > 0) {
            throw new IllegalArgumentException("%s: expected %s to %s, got %s"
                    .formatted(what, least.isZero() ? "zero" : "more than zero", Spans.text(most), span));
        }
    }

    /** What is to be played, with these limits laid over the stored ones. */
    public Simulation on(Headgate headgate, Map<GateKey, GatePolicy> laidOver, RunTimes times) {
        Simulation simulation = headgate.simulate(JOBS_MAX)
                .slots(slots == null ? slotsOf(headgate) : slots)
                .longest(longest)
                .runTime(times::of);
        laidOver.forEach(simulation::policy);
        if (!isBacklog && !arrivals.isEmpty()) {
            simulation.withoutBacklog();
        }
        arrivals.forEach(pattern -> pattern.addTo(simulation, times.ofArrivals(pattern.run())));
        return simulation;
    }

    private static int slotsOf(Headgate headgate) {
        int live = headgate.demand().workers().stream()
                .filter(worker -> !worker.queues().stream().allMatch(queue -> queue.startsWith(OWN)))
                .mapToInt(WorkerView::slots)
                .sum();
        return live == 0 ? SLOTS_DEFAULT : live;
    }

    /** What a simulation found, for machines. */
    public static JsonWriter json(Forecast forecast, Simulation simulation, RunTimes times) {
        return JsonWriter.object()
                .put("jobs", simulation.jobs())
                .put("started", forecast.started())
                .put("neverFit", forecast.neverFit())
                .put("unstarted", forecast.unstarted())
                .put("slots", simulation.slots())
                .put("lastStartMs", forecast.lastStart())
                .put("lastEndMs", forecast.lastEnd())
                .put("runTimes", times.json())
                .put("turnMs", times.turn())
                .put("keys", forecast.keys().stream().map(WhatIf::json).toList());
    }

    private static JsonWriter json(KeyForecast key) {
        return JsonWriter.object()
                .put("kind", key.key().scope().text())
                .put("name", key.key().name())
                .put("starts", key.starts())
                .put("waitP50Ms", key.waits().p50())
                .put("waitP95Ms", key.waits().p95())
                .put("waitMaxMs", key.waits().max())
                .put("peak", key.peak())
                .put(
                        "limits",
                        key.limits().stream()
                                .map(use -> JsonWriter.object()
                                        .put("limit", use.limit())
                                        .put("percent", use.percent()))
                                .toList());
    }
}
