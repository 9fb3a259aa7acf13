package dev.headgate.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.chaos.Load.Manner;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Faults of processes, one at a time, on every store. */
interface FaultContract {
    /** The URL of an empty store. */
    String freshStore() throws Exception;

    @Test
    default void aStoppedWorkerCannotEndAJobThatAnotherRuns(@TempDir Path folder) throws Exception {
        try (Scene scene = new Scene(freshStore(), folder)) {
            Jvm zombie = scene.worker();
            JobId job = scene.ask(1_000, 3_000, Manner.STUBBORN);
            scene.awaitLine(job, 1, "START");
            Scene.stop(zombie);
            scene.worker();
            scene.awaitLine(job, 2, "START");

            zombie.signal("CONT");
            scene.awaitLine(job, 1, "END");
            scene.awaitRemark(0, "registered anew");
            JobStatus now = scene.find(job);
            assertThat(now.leases().epoch()).isEqualTo(2);
            assertThat(now.report().result()).as("nothing from epoch 1").isNotEqualTo("{\"n\":21,\"epoch\":1}");

            JobStatus end = scene.await(job);
            assertThat(Load.epoch(end.report().result())).isEqualTo(2);
            Report report = scene.judge();
            assertThat(report.findings()).isEmpty();
            assertThat(report.count("stale ends, all refused")).isEqualTo(1);
            assertThat(report.count("handlers that ran on after their lease had ended"))
                    .isEqualTo(1);
        }
    }

    @Test
    default void aStoppedWorkerCannotEndAJobThatAnotherHasFinished(@TempDir Path folder) throws Exception {
        try (Scene scene = new Scene(freshStore(), folder)) {
            Jvm zombie = scene.worker();
            JobId job = scene.ask(1_000, 20, Manner.STUBBORN);
            scene.awaitLine(job, 1, "START");
            Scene.stop(zombie);
            scene.worker();
            JobStatus end = scene.await(job);
            assertThat(Load.epoch(end.report().result())).isEqualTo(2);

            zombie.signal("CONT");
            scene.awaitLine(job, 1, "END");
            scene.awaitRemark(0, "registered anew");
            assertThat(scene.find(job)).isEqualTo(end);
            Report report = scene.judge();
            assertThat(report.findings()).isEmpty();
            assertThat(report.count("stale ends, all refused")).isEqualTo(1);
        }
    }

    @Test
    default void limitsHoldFromTheFirstClaimAfterACrashAtTheLimit(@TempDir Path folder) throws Exception {
        try (Scene scene = new Scene(freshStore(), folder)) {
            Jvm victim = scene.worker();
            List<JobId> jobs = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                jobs.add(scene.ask(i < Load.TENANT_AT_ONCE ? 600_000 : 50, 50, Manner.PLAIN));
            }
            for (JobId job : jobs.subList(0, Load.TENANT_AT_ONCE)) {
                scene.awaitLine(job, 1, "START");
            }
            victim.kill();
            for (int i = 0; i < 4; i++) {
                scene.begin();
            }
            for (JobId job : jobs) {
                assertThat(scene.await(job).state()).isEqualTo(JobState.SUCCEEDED);
            }
            Report report = scene.judge();
            assertThat(report.findings()).isEmpty();
            assertThat(report.count("leases lost")).isEqualTo(Load.TENANT_AT_ONCE);
        }
    }

    @Test
    default void aJobThatTakesItsProcessDownIsSetAside(@TempDir Path folder) throws Exception {
        try (Scene scene = new Scene(freshStore(), folder)) {
            // Three losses end it if it ran alone, six if others ran beside it.
            for (int i = 0; i < 7; i++) {
                scene.worker();
            }
            JobId poison = scene.ask(0, 0, Manner.HALT);
            List<JobId> others = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                others.add(scene.ask(50, 20, Manner.PLAIN));
            }
            JobStatus end = scene.await(poison);
            assertThat(end.state()).isEqualTo(JobState.FAILED);
            assertThat(end.report().detail()).contains("lost its worker");
            for (JobId other : others) {
                assertThat(scene.await(other).state()).isEqualTo(JobState.SUCCEEDED);
            }
            assertThat(scene.judge().findings()).isEmpty();
        }
    }
}
