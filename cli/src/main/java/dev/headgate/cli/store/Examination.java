package dev.headgate.cli.store;

import dev.headgate.Headgate;
import dev.headgate.cli.RootCommand;
import dev.headgate.cli.display.Wording;
import dev.headgate.cli.policies.OpenGates;
import dev.headgate.cli.policies.PatternLimits;
import dev.headgate.jdbc.Schema;
import dev.headgate.job.JobState;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.schedule.Missed;
import dev.headgate.schedule.ScheduleStatus;
import dev.headgate.server.api.QueueFigures;
import dev.headgate.status.Drift;
import dev.headgate.status.Overview;
import dev.headgate.status.Overview.WorkerView;
import dev.headgate.store.Store.ListenCheck;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** Everything the doctor checks, in the order in which it is printed. */
final class Examination {
    private static final Duration SKEW_MAX = Duration.ofSeconds(2);

    /** A worker that keeps missing the margins of its starts rests for a second; nothing else makes it wait. */
    private static final Duration IDLE_MAX = Duration.ofSeconds(4);

    private final Headgate headgate;
    private final Overview overview;
    private final Instant here;
    private final List<Finding> findings = new ArrayList<>();

    Examination(Headgate headgate) {
        this.headgate = headgate;
        Instant before = Instant.now();
        this.overview = headgate.overview();
        this.here = before.plus(Duration.between(before, Instant.now()).dividedBy(2));
    }

    List<Finding> findings() {
        findings.add(Finding.ok("store", headgate.describe()));
        findings.add(Finding.ok(
                "schema",
                "version %d, the newest that headgate %s knows"
                        .formatted(Schema.version(), RootCommand.Version.text())));
        clock();
        listening();
        recount();
        lines();
        workers();
        queues();
        parked();
        schedules();
        gates();
        return List.copyOf(findings);
    }

    private void clock() {
        Duration skew = Duration.between(overview.at(), here);
        String found = "the store's clock says %s, %s this machine's"
                .formatted(
                        overview.at(),
                        skew.abs().compareTo(Duration.ofMillis(50)) < 0
                                ? "as does"
                                : Wording.span(skew.abs()) + (skew.isNegative() ? " ahead of" : " behind"));
        findings.add(
                skew.abs().compareTo(SKEW_MAX) > 0
                        ? Finding.note("clock", found + "; limits and leases follow the store's, so they hold")
                        : Finding.ok("clock", found));
    }

    /** As seen from this process: a worker on another machine may reach the store another way. */
    private void listening() {
        ListenCheck check = headgate.checkListening();
        findings.add(
                switch (check.state()) {
                    case WORKS -> Finding.ok("listening", check.found());
                    case OFF ->
                        Finding.note(
                                "listening", check.found() + ", by --listen or HEADGATE_LISTEN on the command line");
                    case BROKEN -> Finding.problem("listening", check.found());
                });
    }

    private void recount() {
        List<Drift> drifts = headgate.recount();
        if (drifts.isEmpty()) {
            findings.add(Finding.ok("recount", "every gate has in use what running jobs hold"));
        }
        for (Drift drift : drifts) {
            findings.add(Finding.problem(
                    "recount",
                    "%s: noted %d jobs and %d units in use, running jobs hold %d and %d; this is a fault of headgate, please report it"
                            .formatted(
                                    drift.gate(),
                                    drift.storedLeases(),
                                    drift.storedUnits(),
                                    drift.heldLeases(),
                                    drift.heldUnits())));
        }
    }

    private void lines() {
        List<GateKey> stranded = headgate.strandedLines();
        List<String> idle = headgate.demand().idleQueues(IDLE_MAX);
        if (stranded.isEmpty() && idle.isEmpty()) {
            findings.add(Finding.ok("lines", "no job waits where nothing holds it back"));
        }
        for (GateKey gate : stranded) {
            findings.add(Finding.problem(
                    "lines",
                    "%s: jobs wait here although nothing holds them back, and nothing would wake them; a running worker mends this within 30 s; this is a fault of headgate, please report it"
                            .formatted(gate)));
        }
        for (String queue : idle) {
            findings.add(Finding.note(
                    "lines",
                    "queue '%s': jobs could start, and none has for %s, although its workers have nothing else to do; they look again within 30 s. If they have handlers and room for these jobs, this is a fault of headgate, please report it"
                            .formatted(queue, Wording.span(IDLE_MAX))));
        }
    }

    private void workers() {
        long live = overview.workers().stream().filter(this::isLive).count();
        findings.add(
                live == 0
                        ? Finding.note("workers", "none is running; start one with 'headgate work'")
                        : Finding.ok("workers", "%d running".formatted(live)));
        for (WorkerView worker : overview.workers()) {
            if (!isLive(worker)) {
                findings.add(Finding.problem(
                        "workers",
                        "%s (%s) was lost: its lease ended %s and it holds %s; any worker that runs takes them back"
                                .formatted(
                                        worker.id(),
                                        worker.name(),
                                        Wording.from(overview.at(), worker.leaseUntil()),
                                        Wording.count(worker.busy(), "job"))));
            }
        }
    }

    private boolean isLive(WorkerView worker) {
        return worker.leaseUntil().isAfter(overview.at());
    }

    private void queues() {
        QueueFigures queues = new QueueFigures(overview);
        for (String queue : queues.names()) {
            long waiting = queues.jobs(queue, JobState.QUEUED);
            if (waiting > 0 && queues.workers(queue) == 0) {
                findings.add(Finding.note(
                        "queues",
                        "%s%s in queue '%s', and no worker serves it"
                                .formatted(
                                        queues.isRough(queue, JobState.QUEUED) ? "at least " : "",
                                        waits(waiting),
                                        queue)));
            }
        }
    }

    private static String waits(long jobs) {
        return Wording.count(jobs, "job") + (jobs == 1 ? " waits" : " wait");
    }

    private void parked() {
        QueueFigures queues = new QueueFigures(overview);
        long parked = queues.names().stream()
                .mapToLong(queue -> queues.jobs(queue, JobState.PARKED))
                .sum();
        if (parked > 0) {
            findings.add(Finding.note(
                    "parked",
                    "%s set aside; see 'headgate jobs --state parked'".formatted(Wording.count(parked, "job"))));
        }
    }

    /** A schedule that is due waits for nothing but a worker, of whatever queue. */
    private void schedules() {
        for (ScheduleStatus schedule : headgate.schedules().list()) {
            Instant next = schedule.nextAt();
            String note = schedule.note();
            if (next != null && next.plus(Missed.GRACE).isBefore(overview.at())) {
                findings.add(Finding.problem(
                        "schedules",
                        "'%s' was due %s and nobody has fired it; start a worker with 'headgate work'"
                                .formatted(schedule.name(), Wording.from(overview.at(), next))));
            }
            if (note != null) {
                findings.add(Finding.note("schedules", "'%s': %s".formatted(schedule.name(), note)));
            }
        }
    }

    private void gates() {
        Map<GateKey, GatePolicy> policies = headgate.policies().all();
        SortedMap<String, Integer> open = OpenGates.in(headgate, policies.keySet());
        if (open.isEmpty()) {
            findings.add(Finding.ok("gates", "every gate that waiting jobs name has limits"));
        }
        open.forEach((gate, jobs) -> findings.add(Finding.problem(
                "gates",
                "gate '%s' has no limits and is named by %s: it lets everything pass; store some with 'headgate gate set'"
                        .formatted(gate, Wording.count(jobs, "waiting job")))));
        policies.forEach((key, own) -> {
            if (key.scope() != GateKey.Scope.TYPE && own.limits().isEmpty()) {
                PatternLimits.dropped(key, own, policies)
                        .ifPresent(dropped -> findings.add(Finding.note("gates", dropped)));
            }
        });
    }
}
