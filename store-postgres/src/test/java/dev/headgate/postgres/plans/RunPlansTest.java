package dev.headgate.postgres.plans;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.postgres.PostgresBackend;
import dev.headgate.proof.Rig;
import dev.headgate.testkit.VirtualTime;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is over costs nothing: no step of a run, no job that waits for others and no schedule reads what earlier ones have left,
 * whether that was one run of many parts, many runs of a few, or nothing but history.
 */
class RunPlansTest {
    /** What the day must have shown, or the test would be green for want of anything to look at. */
    private static final List<String> HOT = List.of(
            "artifacts_of_runs",
            "events_of_frames",
            "find_events",
            "find_frames",
            "frame_children",
            "free_jobs",
            "heads",
            "insert_events",
            "insert_frames",
            "lock_frame_roots",
            "move_frames",
            "open_edges",
            "parked_jobs_of_run",
            "plain_heads",
            "save_frames",
            "settle_edges",
            "signals_arrived",
            "steps_of_frames",
            "steps_of_run",
            "stray_jobs",
            "waiting_heads");

    @TempDir
    private Path folder;

    private final PlanJudge judge = new PlanJudge();

    @ParameterizedTest
    @ValueSource(strings = {"huge-run", "small-runs", "history"})
    void noPlanReadsWhatIsOver(String past) throws Exception {
        VirtualTime time = new VirtualTime();
        try (PlanLog log = PlanLog.start(folder);
                Connection quiet = log.quietly();
                Statement statement = quiet.createStatement()) {
            try (Rig rig = new Rig(PostgresBackend.open(log.url(), time), time)) {
                PlansTest.unlogged(statement);
                Day.policies(rig);
                statement.execute(PlanJudge.resource(past + ".sql"));
                log.take();
                live(rig);
                judge.judge("never analysed", log.take());
            }
            statement.execute("analyze");
            try (Rig rig = new Rig(PostgresBackend.open(log.url(), time), time)) {
                live(rig);
                judge.judge("analysed", log.take());
            }
        }
        assertThat(judge.faults()).isEmpty();
        assertThat(judge.seen()).containsAll(HOT);
    }

    /** What is over came first: to the planner all roots are at the beginning, and what is new stands behind all of it. */
    private static void live(Rig rig) {
        Day day = new Day(rig);
        day.live();
        day.live();
    }
}
