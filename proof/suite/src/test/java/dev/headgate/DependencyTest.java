package dev.headgate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headgate.handler.PermanentFailure;
import dev.headgate.job.Dependency;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobType;
import dev.headgate.job.Unmet;
import dev.headgate.testkit.memory.MemoryBackend;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** Jobs that wait for jobs, from the front door: trees, names, results. */
class DependencyTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    record Page(String name, int words) {}

    record Report(String title) {}

    private static final JobType<Page> COUNT = JobType.of("count", Page.class);
    private static final JobType<Report> REPORT = JobType.of("report", Report.class);

    private static Headgate open() {
        return Headgate.open(new MemoryBackend());
    }

    @Test
    void aParentRunsAfterItsChildrenAndSeesWhatTheyReturned() throws InterruptedException {
        try (Headgate headgate = open()) {
            headgate.handleWithResult(COUNT, (page, job) -> {
                if (page.words() < 0) {
                    throw new PermanentFailure("no such page");
                }
                return page.words();
            });
            headgate.handleWithResult(REPORT, (report, job) -> {
                JobId first = job.children().getFirst().id();
                return "%s: %s, first %s, of %d"
                        .formatted(
                                report.title(),
                                job.childResults(Integer.class),
                                job.findResult(first, Integer.class).orElseThrow(),
                                job.children().size());
            });
            JobId id = headgate.enqueue(
                            REPORT,
                            new Report("words"),
                            job -> job.child(COUNT, new Page("a", 3))
                                    .child(COUNT, new Page("b", 4), child -> child.gate("net"))
                                    .child(Unmet.IGNORE, COUNT, new Page("missing", -1), child -> {}))
                    .id();
            assertThat(headgate.dependencies(id)).hasSize(3).allMatch(Dependency::isChild);
            assertThat(headgate.explain(id).summary()).startsWith("waiting for job ");
            headgate.worker("default").start();
            assertThat(headgate.await(id, LONG).orElseThrow().state()).isEqualTo(JobState.SUCCEEDED);
            assertThat(headgate.result(id, String.class)).hasValue("words: [3, 4], first 3, of 3");
        }
    }

    @Test
    void namesTieJobsOfOneCallInAnyOrder() throws InterruptedException {
        try (Headgate headgate = open()) {
            Queue<String> order = new ConcurrentLinkedQueue<>();
            headgate.handle(COUNT, (page, job) -> order.add(page.name()));
            List<Enqueued> enqueued = headgate.enqueueAll(
                    COUNT,
                    List.of(new Page("d", 0), new Page("b", 0), new Page("c", 0), new Page("a", 0)),
                    (page, job) -> {
                        job.as(page.name());
                        switch (page.name()) {
                            case "d" -> job.after("b", "c");
                            case "c" -> job.after("b");
                            case "b" -> job.after("a");
                            default -> {}
                        }
                    });
            headgate.worker("default").slots(4).start();
            assertThat(headgate.await(enqueued.getFirst().id(), LONG)).isPresent();
            assertThat(order).containsExactly("a", "b", "c", "d");
        }
    }

    @Test
    void aCircleIsRefusedByItsNamesAndNothingIsStored() {
        try (Headgate headgate = open()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> headgate.enqueueAll(
                            COUNT,
                            List.of(new Page("x", 0), new Page("a", 0), new Page("b", 0), new Page("c", 0)),
                            (page, job) -> {
                                job.as(page.name());
                                switch (page.name()) {
                                    case "a" -> job.after("c");
                                    case "b" -> job.after("a");
                                    case "c" -> job.after("b");
                                    default -> job.after("a");
                                }
                            }))
                    .withMessageContaining("circle")
                    .withMessageContaining("'a' after 'c' after 'b' after 'a'");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> headgate.enqueue(
                            COUNT, new Page("a", 0), job -> job.as("a").after("a")))
                    .withMessageContaining("'a' after 'a'");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> headgate.enqueue(COUNT, new Page("a", 0), job -> job.after("nobody")))
                    .withMessageContaining("'nobody'");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> headgate.enqueue(
                            REPORT,
                            new Report("r"),
                            job -> job.child(COUNT, new Page("a", 0)).after(JobId.of(99))))
                    .withMessageContaining("job 99");
            assertThat(headgate.list(JobFilter.all())).isEmpty();
        }
    }

    @Test
    void aFaultOfAChildIsReportedAndNothingIsStored() {
        try (Headgate headgate = open()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> headgate.enqueue(
                            REPORT,
                            new Report("r"),
                            job -> job.child(COUNT, new Page("a", 0), child -> child.cost(-1))))
                    .withMessageContaining("'count'");
            assertThat(headgate.list(JobFilter.all())).isEmpty();
        }
    }

    @Test
    void optionalOnesOnlyHaveToEnd() throws InterruptedException {
        try (Headgate headgate = open()) {
            headgate.handle(COUNT, (page, job) -> {});
            JobId first = headgate.enqueue(COUNT, new Page("a", 0)).id();
            JobId needs = headgate.enqueue(COUNT, new Page("b", 0), job -> job.after(first))
                    .id();
            JobId any = headgate.enqueue(COUNT, new Page("c", 0), job -> job.afterEnd(first))
                    .id();
            headgate.cancel(first);
            headgate.worker("default").start();
            assertThat(headgate.await(any, LONG).orElseThrow().state()).isEqualTo(JobState.SUCCEEDED);
            assertThat(headgate.await(needs, LONG).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
        }
    }
}
