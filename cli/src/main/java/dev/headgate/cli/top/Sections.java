package dev.headgate.cli.top;

import dev.headgate.Controls.Paused;
import dev.headgate.cli.display.Wording;
import dev.headgate.cli.policies.GateRows;
import dev.headgate.cli.policies.QueueRows;
import dev.headgate.cli.top.Section.Cell;
import dev.headgate.cli.top.Section.Row;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GateKey.Scope;
import dev.headgate.limit.Pause;
import dev.headgate.server.api.QueueFigures;
import dev.headgate.status.LongWait;
import dev.headgate.status.Overview;
import dev.headgate.status.Overview.GateView;
import dev.headgate.status.Overview.WorkerView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The lists of one reading. */
final class Sections {
    private static final List<JobState> STATES = List.of(
            JobState.QUEUED, JobState.RUNNING, JobState.SCHEDULED, JobState.AWAITING, JobState.PARKED, JobState.FAILED);

    private final Reading reading;
    private final Instant now;

    private Sections(Reading reading) {
        this.reading = reading;
        this.now = reading.overview().at();
    }

    /** Queues, gates, workers and the longest waits, in this order. */
    static List<Section> of(Reading reading) {
        Sections sections = new Sections(reading);
        return List.of(sections.queues(), sections.gates(), sections.workers(), sections.waits());
    }

    /** By which column each is sorted until another is chosen: what is longest or busiest first. */
    static List<Integer> usualOrder() {
        return List.of(1, 4, 2, 3);
    }

    private Section queues() {
        QueueFigures queues = new QueueFigures(reading.overview(), reading.oldest());
        List<Row> rows =
                queues.names().stream().map(name -> queue(queues, name)).toList();
        return new Section(
                "queues",
                Section.columns(
                        "QUEUE",
                        ">QUEUED",
                        ">RUNNING",
                        ">SCHEDULED",
                        ">AWAITING",
                        ">PARKED",
                        ">FAILED",
                        ">WORKERS",
                        ">OLDEST",
                        "STATE"),
                rows);
    }

    private Row queue(QueueFigures queues, String name) {
        List<Cell> cells = new ArrayList<>(List.of(Cell.of(name)));
        for (JobState state : STATES) {
            long jobs = queues.jobs(name, state);
            cells.add(new Cell(jobs + (queues.isRough(name, state) ? "+" : ""), jobs));
        }
        long workers = queues.workers(name);
        cells.add(Cell.of(workers));
        cells.add(new Cell(QueueRows.age(queues, name), queues.ageMillis(name)));
        Pause pause = Pause.queue(name);
        Optional<Paused> paused = paused(pause);
        boolean isUnserved = workers == 0 && queues.jobs(name, JobState.QUEUED) > 0;
        cells.add(Cell.of(paused.map(each -> "paused by " + each.author()).orElse(isUnserved ? "no worker" : "")));
        return new Row(name, List.copyOf(cells), paused.isPresent() || isUnserved, pause, null);
    }

    private Section gates() {
        GateRows shape = new GateRows(reading.policies(), now);
        return new Section(
                "gates",
                Section.columns("GATE", ">IN USE", ">UNITS", ">TOKENS", ">WAITING", "OPENS", "LIMITS"),
                reading.overview().gates().stream()
                        .map(gate -> gate(shape, gate))
                        .toList());
    }

    private Row gate(GateRows shape, GateView gate) {
        List<String> texts = shape.cells(gate);
        GateKey key = gate.key();
        Pause pause = key.scope() == Scope.QUEUE ? Pause.queue(key.name()) : Pause.gate(key.name());
        return new Row(
                texts.getFirst(),
                List.of(
                        Cell.of(texts.get(0)),
                        new Cell(texts.get(1), gate.leases()),
                        new Cell(texts.get(2), gate.units()),
                        new Cell(
                                texts.get(3),
                                gate.tokens().isEmpty()
                                        ? null
                                        : gate.tokens().getFirst().now()),
                        new Cell(texts.get(4), gate.line().jobs()),
                        Cell.of(texts.get(5)),
                        Cell.of(texts.get(6))),
                gate.shut() != null || paused(pause).isPresent(),
                pause,
                null);
    }

    private Optional<Paused> paused(Pause what) {
        return reading.paused().stream()
                .filter(each -> each.what().equals(what))
                .findFirst();
    }

    private Section workers() {
        Overview overview = reading.overview();
        return new Section(
                "workers",
                Section.columns("WORKER", "NAME", ">BUSY", "STARTED", "LEASE", "QUEUES"),
                overview.workers().stream().map(this::worker).toList());
    }

    private Row worker(WorkerView worker) {
        boolean isLive = worker.leaseUntil().isAfter(now);
        return new Row(
                worker.id(),
                List.of(
                        Cell.of(worker.id()),
                        Cell.of(worker.name()),
                        new Cell("%d of %d".formatted(worker.busy(), worker.slots()), (long) worker.busy()),
                        Cell.of(Wording.from(now, worker.startedAt())),
                        Cell.of((isLive ? "ends " : "ended ") + Wording.from(now, worker.leaseUntil())),
                        Cell.of(String.join(", ", worker.queues()))),
                !isLive,
                null,
                null);
    }

    private Section waits() {
        return new Section(
                "longest waits",
                Section.columns(">JOB", "QUEUE", "TYPE", ">WAITED", "AT", "GATES"),
                reading.waits().stream().map(this::wait).toList());
    }

    private Row wait(LongWait wait) {
        JobStatus job = wait.job();
        Duration waited = Duration.between(job.times().readySince(), now);
        GateKey at = wait.at();
        return new Row(
                job.id().toString(),
                List.of(
                        Cell.of(job.id().value()),
                        Cell.of(job.queue()),
                        Cell.of(job.type()),
                        new Cell(Wording.span(waited), waited.toMillis()),
                        Cell.of(at == null ? "" : at.toString()),
                        Cell.of(String.join(", ", job.gates()))),
                false,
                null,
                job.id());
    }
}
