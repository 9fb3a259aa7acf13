package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.headgate.internal.job.JobStore;
import dev.headgate.internal.lease.EndedLease;
import dev.headgate.internal.lease.TurnRequest;
import dev.headgate.internal.limiter.PermitStore;
import dev.headgate.internal.resource.Profile;
import dev.headgate.internal.resource.ResourceStore;
import dev.headgate.internal.schedule.ScheduleStore;
import dev.headgate.internal.workflow.RunStore;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.Outcome;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Pause;
import dev.headgate.schedule.Schedule;
import dev.headgate.schedule.ScheduleTerms;
import dev.headgate.spi.Backend;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.JobTable.LeaseRef;
import dev.headgate.spi.StoreProvider;
import dev.headgate.spi.WorkerRow;
import dev.headgate.store.MigrationPlan;
import dev.headgate.store.StoreRefusedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * For stores with tables: programs of several versions on one store. Either they work side by side, or one of them is refused, is
 * told why, and has written nothing.
 */
public interface VersionContract {
    Duration LEASE = Duration.ofMinutes(10);

    StoreProvider provider();

    /** The same store in a program of the next version, which knows one migration more. It is made up. */
    StoreProvider nextProvider();

    /** The URL of a store that has nothing in it yet, not even tables. */
    String emptyUrl() throws Exception;

    /** Runs these in the store behind the URL, one after the other, and commits. */
    void execute(String url, List<String> statements) throws Exception;

    /** What a newer program leaves behind whose migration shuts older ones out; by how many versions it is newer. */
    private void migrateTo(String url, int newer) throws Exception {
        execute(
                url,
                List.of("update headgate_meta set value = value + %d where key = 'schema_version'".formatted(newer)));
    }

    /** The same of one whose migration does older programs no harm. */
    private void migrateHarmlessly(String url, int newer) throws Exception {
        execute(
                url,
                List.of("insert into headgate_meta (key, value) select 'oldest_version', value from headgate_meta"
                        + " where key = 'schema_version'"));
        migrateTo(url, newer);
    }

    private static WorkerRow worker(String id) {
        return new WorkerRow(id, id, List.of("q"), 1, 0, 0, List.of(), "", WorkerRow.LOST_MAX);
    }

    private static JobRow claim(JobStore store, String worker) {
        return store.turnaround(new TurnRequest(worker, List.of("q"), 1, List.of()))
                .started()
                .getFirst();
    }

    private static boolean finish(JobStore store, String worker, JobRow lease) {
        EndedLease ended = new EndedLease(lease, new Outcome.Succeeded("1"));
        return store.turnaround(new TurnRequest(worker, List.of("q"), 0, List.of(ended)))
                .refused()
                .isEmpty();
    }

    /** Everything that a program writes, by name. */
    private static Map<String, Runnable> writes(JobStore store, JobRow lease, JobId waiting) {
        Backend backend = store.backend();
        LeaseRef ref = new LeaseRef(lease.id(), lease.lease().epoch());
        ScheduleStore schedules = new ScheduleStore(backend);
        Map<String, Runnable> writes = new LinkedHashMap<>();
        writes.put("heartbeat", () -> store.heartbeat("old", LEASE, List.of(ref)));
        writes.put("end of a job", () -> finish(store, "old", lease));
        writes.put("claim", () -> claim(store, "old"));
        writes.put("report", () -> store.report("old", ref, null, List.of("a line")));
        writes.put("registration", () -> store.register(worker("anew"), LEASE, List.of()));
        writes.put("room", () -> new ResourceStore(backend).publish("old", 1, "desk=1/1"));
        writes.put("profile", () -> new ResourceStore(backend).learn(Map.of("work", new Profile())));
        writes.put("goodbye", () -> store.deregister("old"));
        writes.put("return", () -> store.cameBack("old", List.of(ref)));
        writes.put(
                "push-back",
                () -> store.holds().pushBack(lease, new Outcome.PushedBack("g", Duration.ofHours(1), 0, "429")));
        writes.put("hold", () -> store.hold(GateKey.gate("g"), Duration.ofHours(1), "held"));
        writes.put("clear", () -> store.clear(GateKey.gate("g")));
        writes.put("cancel", () -> store.cancel(waiting));
        writes.put("reschedule", () -> store.reschedule(waiting, null));
        writes.put("delete", () -> store.delete(waiting));
        writes.put("policy", () -> store.setPolicy(GateKey.gate("g"), GatePolicy.parse("concurrency 9")));
        writes.put("pause", () -> store.policyStore().pause(Pause.queue("q"), "ada", "old"));
        writes.put("permit", () -> new PermitStore(backend).ask(List.of(GateKey.gate("g")), 1, 7, Duration.ofHours(1)));
        writes.put("prune", () -> store.prune(Duration.ZERO));
        writes.put("prune of journals", store::pruneJournal);
        writes.put("recount", store::recount);
        writes.put(
                "schedule",
                () -> schedules.put(
                        "old",
                        ScheduleTerms.of(
                                Schedule.every(Duration.ofHours(1)),
                                job("q").build().spec(),
                                Duration.ZERO)));
        writes.put("firing", schedules::fire);
        writes.put("workflow", () -> new RunStore(backend).define("flow", 1, "shape"));
        writes.put("enqueue", () -> store.enqueue(List.of(job("q").build())));
        return writes;
    }

    /** The migration does not wait for it, and it does not know. */
    @Test
    default void aProgramWhoseTablesANewerOneHasChangedWritesNothingMore() throws Exception {
        String url = emptyUrl();
        AtomicLong nanos = new AtomicLong();
        try (JobStore old = new JobStore(provider().open(url), nanos::get)) {
            old.register(worker("old"), LEASE, List.of());
            old.enqueue(List.of(job("q").build(), job("q").gate("g").build()));
            JobRow lease = claim(old, "old");
            JobId waiting = JobId.of(lease.id() + 1);
            String before = picture(old);
            migrateTo(url, 1);
            nanos.addAndGet(Duration.ofSeconds(3).toNanos());
            writes(old, lease, waiting)
                    .forEach((name, write) -> assertThatExceptionOfType(StoreRefusedException.class)
                            .as(name)
                            .isThrownBy(write::run)
                            .withMessageContaining("a newer Headgate has changed the tables")
                            .withMessageContaining("stop this process and update it"));
            migrateTo(url, -1);
            assertThat(picture(old)).as("nothing was written").isEqualTo(before);
            assertThat(finish(old, "old", lease))
                    .as("nor is anything amiss with it")
                    .isTrue();
        }
    }

    /** What a program could have changed. */
    private static String picture(JobStore store) {
        List<Object> all = new ArrayList<>();
        all.add(store.list(JobFilter.all()));
        all.add(store.backend().read(tx -> tx.workers().list().toString()));
        all.add(store.backend().read(tx -> tx.gates().list(null, 100).toString()));
        all.add(store.policies().version());
        all.add(new ResourceStore(store.backend()).types());
        all.add(new RunStore(store.backend()).definitions(null));
        all.add(new ScheduleStore(store.backend()).list());
        return all.toString();
    }

    /** For two seconds an enqueue goes by what was read before; then it finds out as well. */
    @Test
    default void anEnqueueFindsOutWithinTwoSeconds() throws Exception {
        String url = emptyUrl();
        AtomicLong nanos = new AtomicLong();
        try (JobStore old = new JobStore(provider().open(url), nanos::get)) {
            migrateTo(url, 1);
            nanos.addAndGet(Duration.ofMillis(2_001).toNanos());
            assertThatExceptionOfType(StoreRefusedException.class)
                    .isThrownBy(() -> old.enqueue(List.of(job("q").build())))
                    .withMessageContaining("stop this process and update it");
        }
    }

    @Test
    default void aNewerVersionThatDoesOlderOnesNoHarmLetsThemGoOnAndComeBack() throws Exception {
        String url = emptyUrl();
        AtomicLong nanos = new AtomicLong();
        try (JobStore old = new JobStore(provider().open(url), nanos::get)) {
            old.register(worker("old"), LEASE, List.of());
            old.enqueue(List.of(job("q").build(), job("q").build()));
            JobRow lease = claim(old, "old");
            migrateHarmlessly(url, 2);
            nanos.addAndGet(Duration.ofSeconds(3).toNanos());
            old.heartbeat("old", LEASE, List.of());
            assertThat(finish(old, "old", lease)).isTrue();
            old.enqueue(List.of(job("q").build()));
            MigrationPlan plan = provider().planMigration(url);
            assertThat(plan.isUpToDate()).isTrue();
            assertThat(plan.from()).isEqualTo(plan.to());
            try (JobStore second = new JobStore(provider().open(url))) {
                second.register(worker("second"), LEASE, List.of());
                JobRow other = claim(second, "second");
                assertThat(finish(second, "second", other)).isTrue();
                assertThat(Objects.requireNonNull(second.find(JobId.of(other.id())))
                                .state())
                        .isEqualTo(JobState.SUCCEEDED);
            }
            // The next version shuts it out after all, and forgets what the one before has said.
            execute(url, List.of("delete from headgate_meta where key = 'oldest_version'"));
            assertThatExceptionOfType(StoreRefusedException.class)
                    .isThrownBy(() -> old.heartbeat("old", LEASE, List.of()));
            assertThatExceptionOfType(StoreRefusedException.class)
                    .isThrownBy(() -> provider().open(url))
                    .withMessageContaining("this store was used by a newer Headgate; update this one");
        }
    }

    /** A backup of an older version was put in the place of the store, under a process that runs. */
    @Test
    default void aProgramWhoseTablesAreOlderByNowWritesNothingMore() throws Exception {
        String url = emptyUrl();
        try (JobStore store = new JobStore(provider().open(url))) {
            store.register(worker("old"), LEASE, List.of());
            migrateTo(url, -1);
            assertThatExceptionOfType(StoreRefusedException.class)
                    .isThrownBy(() -> store.heartbeat("old", LEASE, List.of()))
                    .withMessageContaining("replaced by older ones")
                    .withMessageContaining("stop all processes and start them again");
        }
    }

    /** A store with a worker whose lease ends at this instant. */
    private String storeWith(String worker, long leaseUntil) throws Exception {
        String url = emptyUrl();
        provider().open(url).close();
        execute(
                url,
                List.of(
                        "insert into headgate_worker (id, name, queues, slots, started_at, lease_until, holding, room, lost_max) values ('1', '%s', 'q', 1, 0, %d, '', '', 3)"
                                .formatted(worker, leaseUntil)));
        return url;
    }

    @Test
    default void aMigrationNamesTheWorkersThatMustStopFirst() throws Exception {
        String url = storeWith("mail on host-1", Long.MAX_VALUE);
        for (int tries = 0; tries < 2; tries++) {
            assertThatExceptionOfType(StoreRefusedException.class)
                    .isThrownBy(() -> nextProvider().open(url))
                    .withMessageContaining("found 1: mail on host-1; stop them")
                    .withMessageContaining("headgate migrate --force");
            assertThatExceptionOfType(StoreRefusedException.class)
                    .isThrownBy(() -> nextProvider().migrate(url, false, progress -> {}))
                    .withMessageContaining("mail on host-1");
        }
        assertThat(nextProvider().planMigration(url).from())
                .as("nothing was changed, and a plan is made all the same")
                .isEqualTo(provider().planMigration(emptyUrl()).to());
        assertThat(nextProvider().migrate(url, true, progress -> {}).isUpToDate())
                .isFalse();
        nextProvider().open(url).close();
    }

    /** It was killed, or its process has left: its jobs go to others in any case. */
    @Test
    default void aMigrationWaitsForNoWorkerWhoseLeaseHasEnded() throws Exception {
        String url = storeWith("gone", 1);
        nextProvider().open(url).close();
        assertThat(nextProvider().planMigration(url).isUpToDate()).isTrue();
    }
}
