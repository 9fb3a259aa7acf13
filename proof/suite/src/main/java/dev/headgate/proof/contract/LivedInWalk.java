package dev.headgate.proof.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.Headgate;
import dev.headgate.evidence.Verification;
import dev.headgate.internal.gate.StrandedLines;
import dev.headgate.internal.job.JobStore;
import dev.headgate.internal.query.BacklogStore;
import dev.headgate.internal.resource.ResourceStore;
import dev.headgate.internal.schedule.ScheduleStore;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.limit.GateKey;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.run.RunFilter;
import dev.headgate.run.RunState;
import dev.headgate.run.RunStatus;
import dev.headgate.schedule.ScheduleStatus;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** Everything that is done with a store, done to one that {@link LivedInStore} has filled: read, worked off, emptied. */
final class LivedInWalk {
    private static final String[] QUEUES = {"lived", "fair", "timed", "capped", "paused", "rooms", "scheduled"};
    private static final Duration STEP = Duration.ofHours(12);
    private static final int STEPS_MAX = 100;

    private final Rig rig;
    private final JobStore store;
    private final Headgate headgate;

    LivedInWalk(Rig rig) {
        this.rig = rig;
        this.store = rig.store();
        this.headgate = Headgate.open(store.backend());
    }

    /** What commands show: every row is looked at by whatever lists rows of its kind. */
    void readAll() {
        List<JobStatus> jobs = store.list(JobFilter.all().limit(JobFilter.LIMIT_MAX));
        for (JobState state : JobState.values()) {
            assertThat(store.page(JobFilter.all().state(state)).jobs())
                    .as("jobs that are " + state)
                    .isNotEmpty();
        }
        ScheduleStore schedules = rig.schedules();
        for (JobStatus job : jobs) {
            assertThat(rig.status(job.id())).isEqualTo(job);
            assertThat(rig.explain(job.id()).summary()).isNotBlank();
            store.attempts(job.id());
            store.log(job.id());
            store.dependencies().of(job.id());
            store.dependencies().children(job.id());
            schedules.findRun(job.id());
        }
        readPolicies();
        for (ScheduleStatus schedule : schedules.list()) {
            assertThat(schedules.nextRuns(schedule.name(), 5)).isNotNull();
            schedules.runs(schedule.name(), 10);
        }
        readRuns();
        assertThat(store.recount()).as("drift").isEmpty();
        assertThat(store.overview(1000).toString()).isNotBlank();
        assertThat(new BacklogStore(store.backend()).read(List.of(), 100)).isNotEmpty();
        assertThat(new BacklogStore(store.backend()).workers()).isNotEmpty();
        assertThat(store.snapshot(10_000).toString()).isNotBlank();
        assertThat(new ResourceStore(store.backend()).types()).hasSize(2);
    }

    private void readPolicies() {
        assertThat(store.policies().version()).isPositive();
        assertThat(store.policyStore().history(Long.MAX_VALUE, 1000)).hasSizeGreaterThan(20);
        assertThat(store.policyStore().pauses()).hasSize(3);
        assertThat(store.journalGates()).isNotEmpty();
        for (GateKey gate : store.journalGates()) {
            assertThat(store.journal(gate, 0, 1000)).isNotEmpty();
            Verification verification = headgate.evidence().verify(gate, null, null);
            assertThat(verification.isClean()).as("%s: %s", gate, verification).isTrue();
        }
    }

    private void readRuns() {
        List<RunStatus> roots = headgate.workflows().list(RunFilter.all());
        assertThat(roots)
                .extracting(RunStatus::state)
                .contains(
                        RunState.RUNNING,
                        RunState.SLEEPING,
                        RunState.AWAITING,
                        RunState.JOINING,
                        RunState.PAUSED,
                        RunState.BUDGET_EXCEEDED,
                        RunState.SUCCEEDED,
                        RunState.FAILED,
                        RunState.CANCELLED);
        for (RunStatus root : roots) {
            assertThat(headgate.workflows().timeline(root.id())).isNotEmpty();
            assertThat(headgate.workflows().export(root.id())).isNotBlank();
            for (RunStatus part : headgate.workflows().tree(root.id())) {
                headgate.workflows().artifacts(part.id());
            }
            if (headgate.machines().isInstance(root.id())) {
                headgate.machines().timeline(root.id());
                headgate.machines().pending(root.id());
            }
        }
        assertThat(headgate.workflows().definitions()).isNotEmpty();
    }

    /**
     * Lets go what was stopped by hand, and runs everything.
     *
     * @param before every job that was there
     */
    void workOff(List<Long> before) {
        store.reap();
        store.policyStore().pauses().forEach(row -> store.policyStore().resume(row.pause()));
        assertThat(rig.schedules().fire().troubles()).isEmpty();
        rig.schedules().list().forEach(schedule -> rig.schedules().remove(schedule.name()));
        rig.policy("gate never", "budget 9");
        store.revive(List.of("unknown"));
        assertThat(store.list(JobFilter.all().state(JobState.PARKED).queue("lived")))
                .as("all others are revived by what parked them")
                .singleElement()
                .satisfies(parked -> assertThat(parked.type()).isEqualTo("unreadable"))
                .satisfies(parked -> store.retry(parked.id()));
        LivedInRuns runs = new LivedInRuns(rig);
        ScriptedWorker worker = rig.register("later", QUEUES);
        for (int steps = 0; steps < STEPS_MAX && hasLive(); steps++) {
            worker.claim(1000);
            worker.finishAll();
            rig.advance(STEP);
        }
        runs.finish();
        assertThat(runs.live()).as("runs that have not ended").isEmpty();
        for (long id : before) {
            assertThat(Objects.requireNonNull(store.find(JobId.of(id)), "job " + id + " is lost")
                            .state()
                            .isTerminal())
                    .as(() -> rig.explain(JobId.of(id)).summary())
                    .isTrue();
        }
        assertThat(store.recount()).as("drift").isEmpty();
        assertThat(new StrandedLines(store.backend()).find())
                .as("stranded lines")
                .isEmpty();
        runs.play().worker().leave();
        worker.leave();
    }

    /** Anything but steps of runs, which are played apart. */
    private boolean hasLive() {
        return store.overview(1).jobs().stream()
                .anyMatch(count -> !count.state().isTerminal() && !count.queue().equals("default") && count.jobs() > 0);
    }

    void prune() {
        rig.advance(Duration.ofDays(400));
        store.prune(Duration.ofDays(1));
        store.pruneJournal();
        assertThat(store.list(JobFilter.all())).isEmpty();
        assertThat(headgate.workflows().list(RunFilter.all())).isEmpty();
        assertThat(store.recount()).as("drift").isEmpty();
    }
}
