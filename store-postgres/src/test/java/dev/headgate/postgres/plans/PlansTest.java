package dev.headgate.postgres.plans;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.postgres.PostgresBackend;
import dev.headgate.proof.Rig;
import dev.headgate.testkit.VirtualTime;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * No statement of a worker or of an enqueue reads what merely waits: not with a million jobs in the store, whatever
 * the planner knows of its tables. The plans are those that were really used, on connections as production has them.
 */
class PlansTest {
    /** Days lived in the empty store; by then the driver and the server keep their plans. */
    private static final int DAYS_TO_SETTLE = 6;

    /** What the day must have shown, or the test would be green for want of anything to look at. */
    private static final List<String> HOT = List.of(
            "add_lanes",
            "anchor_journals",
            "any_expired",
            "any_parked",
            "append_jobs",
            "arriving_lanes",
            "branches_of_runs",
            "create_gates",
            "delete_ended",
            "depart_job",
            "due_jobs",
            "end_alike",
            "end_jobs",
            "expire_jobs",
            "expired_workers",
            "extend_worker",
            "find_dedup_keys",
            "find_holding",
            "first_shares",
            "free_dedup_keys",
            "free_jobs",
            "give_back_jobs",
            "heads",
            "held_jobs",
            "insert_attempts",
            "insert_edges",
            "insert_events",
            "insert_frames",
            "insert_jobs",
            "insert_journal",
            "insert_log_lines",
            "insert_schedule_runs",
            "jobs_still_needed",
            "jobs_to_stop",
            "lease_jobs",
            "lease_jobs_again",
            "lines",
            "lock_awaiting_jobs",
            "lock_due_schedules",
            "lock_ended",
            "lock_ended_roots",
            "lock_expired_journal",
            "lock_frame_roots",
            "lock_gates",
            "lock_lanes",
            "lock_ready_lanes",
            "lock_worker",
            "mark_jobs",
            "next_due",
            "next_due_within",
            "next_gate_wake",
            "next_gates",
            "next_schedule",
            "open_edges",
            "park_jobs",
            "parked_jobs",
            "plain_heads",
            "promote_due_jobs",
            "prune_frames",
            "prune_journal",
            "queues_with_due",
            "queues_with_work",
            "ready_lanes",
            "replace_holding",
            "report_progress",
            "requeue_job",
            "revive_jobs",
            "ring",
            "save_frames",
            "save_gates",
            "save_holding",
            "save_lanes",
            "save_shares",
            "settle_edges",
            "signals_arrived",
            "stray_jobs",
            "take_arrivals",
            "take_signals",
            "trim_log",
            "unpark_types",
            "unring",
            "waiting_heads");

    /**
     * Plans of these, made in a store that was known to be empty, are the wrong ones until it is analysed again, which
     * autovacuum does within a minute or so. They are about jobs that wait for others, parked ones and signals.
     */
    private static final Set<String> SURPRISED =
            Set.of("any_parked", "fell_jobs", "free_jobs", "settle_edges", "signals_arrived", "unpark_types");

    @TempDir
    private Path folder;

    private final PlanJudge judge = new PlanJudge();

    @Test
    void noPlanReadsWhatMerelyWaits() throws Exception {
        VirtualTime time = new VirtualTime();
        try (PlanLog log = PlanLog.start(folder);
                Connection quiet = log.quietly();
                Statement statement = quiet.createStatement()) {
            try (Rig rig = new Rig(PostgresBackend.open(log.url(), time), time)) {
                unlogged(statement);
                Day.policies(rig);
                Day day = settle(rig);
                log.take();
                statement.execute(PlanJudge.resource("fill.sql"));
                day.live();
                judge.judge("planned when the store was empty", log.take());
            }
            try (Rig rig = new Rig(PostgresBackend.open(log.url(), time), time)) {
                new Day(rig).live();
                judge.judge("never analysed", log.take());
            }
            statement.execute("analyze");
            try (Rig rig = new Rig(PostgresBackend.open(log.url(), time), time)) {
                new Day(rig).live();
                judge.judge("analysed", log.take());
            }
        }
        assertThat(judge.faults()).isEmpty();
        assertThat(judge.seen()).containsAll(HOT);
    }

    /** Autovacuum looks at empty tables too. Then the planner believes what it saw, until it looks again. */
    @Test
    void noPlanForAnEmptyStoreReadsWhatMerelyWaits() throws Exception {
        VirtualTime time = new VirtualTime();
        try (PlanLog log = PlanLog.start(folder);
                Connection quiet = log.quietly();
                Statement statement = quiet.createStatement();
                Rig rig = new Rig(PostgresBackend.open(log.url(), time), time)) {
            unlogged(statement);
            Day.policies(rig);
            statement.execute("analyze");
            Day day = settle(rig);
            log.take();
            statement.execute(PlanJudge.resource("fill.sql"));
            day.live();
            judge.judge("planned when the store was known to be empty", log.take());
        }
        judge.faults().removeIf(fault -> SURPRISED.contains(fault.substring(0, fault.indexOf(' '))));
        assertThat(judge.faults()).isEmpty();
    }

    static Day settle(Rig rig) {
        Day day = new Day(rig);
        for (int i = 0; i < DAYS_TO_SETTLE; i++) {
            day.live();
        }
        return day;
    }

    @Test
    void aPlanThatReadsEverythingIsFound() throws Exception {
        VirtualTime time = new VirtualTime();
        try (PlanLog log = PlanLog.start(folder);
                Connection quiet = log.quietly();
                Statement statement = quiet.createStatement()) {
            try (Rig rig = new Rig(PostgresBackend.open(log.url(), time), time)) {
                statement.execute("drop index headgate_job_for_claim");
                rig.enqueue(5_000, job("work").gate("k"));
                rig.worker("work").claim(1);
            }
            judge.judge("without its index", log.take());
        }
        assertThat(judge.faults()).anyMatch(fault -> fault.startsWith("heads "));
    }

    /** Nothing of this is to survive, and it is filled sooner. */
    static void unlogged(Statement statement) throws SQLException {
        statement.execute(
                "do $$ declare t text; begin for t in select relname from pg_class where relname like 'headgate_%' and relkind = 'r'"
                        + " loop execute 'alter table ' || t || ' set unlogged'; end loop; end $$");
    }
}
