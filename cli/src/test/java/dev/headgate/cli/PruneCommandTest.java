package dev.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.Headgate;
import dev.headgate.job.JobId;
import dev.headgate.job.JobType;
import dev.headgate.workflow.Workflow;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** prune, as those see it whose work goes on meanwhile. */
class PruneCommandTest {
    record Trip(String path) {}

    private static final Workflow<Trip, Trip> SLOW = Workflow.named("slow", 1, Trip.class)
            .then("begin", (trip, step) -> trip)
            .awaitSignal("go", String.class, (trip, word) -> new Trip(trip.path() + word))
            .then("end", (trip, step) -> new Trip(trip.path() + "!"))
            .build();

    private static final Workflow<Trip, Trip> TOP = Workflow.named("top", 1, Trip.class)
            .spawn("slow", SLOW, trip -> trip)
            .then("last", (trip, step) -> trip)
            .build();

    private static final JobType<Integer> PART = JobType.of("part", Integer.class);
    private static final JobType<Integer> SUM = JobType.of("sum", Integer.class);
    private static final Duration SOON = Duration.ofSeconds(20);

    @TempDir
    Path folder;

    Prompt prompt;

    @BeforeEach
    void open() {
        prompt = new Prompt(folder);
    }

    private JsonNode run(int id) {
        return prompt.must("workflow", "show", Integer.toString(id), "--json").json();
    }

    @Test
    void aSpawnedRunOutlivesItsPrunedParent() throws InterruptedException {
        Runs runs = new Runs(prompt, TOP, SLOW);
        prompt.must("workflow", "start", "top", "{\"path\":\"-\"}");
        runs.goOn();
        assertThat(run(1).get("state").asString()).isEqualToIgnoringCase("succeeded");
        prompt.must("prune", "--older-than", "0s");
        assertThat(run(2).get("state").asString()).isEqualToIgnoringCase("awaiting");
        prompt.must("workflow", "signal", "2", "go", "\"on\"");
        runs.goOn();
        assertThat(run(2).get("state").asString()).isEqualToIgnoringCase("succeeded");
        assertThat(run(2).toString()).contains("-on!");
        prompt.must("prune", "--older-than", "0s");
        assertThat(prompt.must("workflow", "list", "--json").out()).doesNotContain("top");
    }

    @Test
    void aParentReadsAllItsChildrenAlsoThoseThatEndedLongAgo() throws InterruptedException {
        CountDownLatch isPruned = new CountDownLatch(1);
        try (Headgate headgate = prompt.open()) {
            headgate.handleWithResult(PART, (number, job) -> {
                if (number == 2) {
                    isPruned.await();
                }
                return number;
            });
            headgate.handleWithResult(
                    SUM,
                    (number, job) -> job.childResults(Integer.class).stream()
                            .mapToInt(Integer::intValue)
                            .sum());
            JobId sum = headgate.enqueue(
                            SUM, 0, job -> job.child(PART, 1, child -> {}).child(PART, 2, child -> {}))
                    .id();
            headgate.worker("default").slots(4).start();
            List<JobId> parts =
                    headgate.dependencies(sum).stream().map(each -> each.job()).toList();
            assertThat(headgate.await(parts.getFirst(), SOON)).isPresent();
            prompt.must("prune", "--older-than", "0s");
            isPruned.countDown();
            assertThat(headgate.await(sum, SOON).orElseThrow().report().result())
                    .isEqualTo("3");
        }
    }
}
