package dev.headgate.cli.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headgate.UnknownJobException;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.Signals;
import dev.headgate.handler.HandlerOptions;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobType;
import dev.headgate.job.LogLine;
import dev.headgate.limit.Limit;
import dev.headgate.testkit.TestHeadgate;
import dev.headgate.testkit.junit.HeadgateExtension;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is told of a job between one look and the next; the looks are where the test moves the store on. */
@ExtendWith(HeadgateExtension.class)
class JobFollowerTest {
    record Page(int number) {}

    private static final JobType<Page> PRINT = JobType.of("print", Page.class);

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final List<Duration> pauses = new ArrayList<>();

    private JobState follow(TestHeadgate test, JobId id, Runnable... steps) throws InterruptedException {
        CommandContext shell = new CommandContext(
                new PrintWriter(out), new PrintWriter(err), InputStream.nullInputStream(), Map.of(), Signals.NONE);
        Iterator<Runnable> next = Arrays.asList(steps).iterator();
        return new JobFollower(shell, test.headgate(), id, span -> {
                    pauses.add(span);
                    next.next().run();
                })
                .follow()
                .state();
    }

    private static JobId enqueue(TestHeadgate test, String... gates) {
        return test.headgate()
                .enqueue(PRINT, new Page(1), job -> List.of(gates).forEach(job::gate))
                .id();
    }

    @Test
    void everyTurnOfAJobIsToldOnce(TestHeadgate test) throws InterruptedException {
        test.headgate()
                .handleWithResult(
                        PRINT,
                        (page, job) -> {
                            job.log("trying page %d".formatted(page.number()));
                            if (job.attempt() == 1) {
                                throw new IllegalStateException("out of paper\nand more");
                            }
                            return "printed";
                        },
                        HandlerOptions.DEFAULT);
        test.headgate().worker("default").slots(1).start();
        JobId id = enqueue(test);
        assertThat(follow(test, id, () -> {}, test::claim, test::run, () -> test.runFor(Duration.ofMinutes(1))))
                .isEqualTo(JobState.SUCCEEDED);
        assertThat(out.toString()
                        .lines()
                        .map(line -> line.replaceAll("20[-0-9T:.Z]+", "AT").replaceAll("worker .*", "worker W")))
                .containsExactly(
                        "job 1: waiting for a free worker W",
                        "job 1: running, attempt 1 of 10, worker W",
                        "  AT  trying page 1",
                        "  attempt 1: retried: java.lang.IllegalStateException: out of paper",
                        "job 1: scheduled: due at AT; last error: java.lang.IllegalStateException: out of paper",
                        "  AT  trying page 1",
                        "job 1: succeeded after 0 ms",
                        "  result       \"printed\"");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void aJobThatHasEndedIsToldFromItsHistory(TestHeadgate test) throws InterruptedException {
        test.headgate().handle(PRINT, (page, job) -> job.log("done"));
        test.headgate().worker("default").start();
        JobId id = enqueue(test);
        test.run();
        assertThat(follow(test, id)).isEqualTo(JobState.SUCCEEDED);
        assertThat(pauses).isEmpty();
        assertThat(out.toString()).contains("  done\n").contains("job 1: succeeded");
    }

    @Test
    void theStoreIsAskedLessOftenTheLongerNothingHappens(TestHeadgate test) throws InterruptedException {
        test.headgate().handle(PRINT, (page, job) -> {});
        test.headgate().policies().gate("printer", gate -> gate.limit(Limit.concurrency(1)));
        JobId id = enqueue(test, "printer");
        Runnable[] steps =
                IntStream.range(0, 12).<Runnable>mapToObj(i -> () -> {}).toArray(Runnable[]::new);
        steps[10] = () -> test.headgate().cancel(id);
        assertThat(follow(test, id, steps)).isEqualTo(JobState.CANCELLED);
        assertThat(pauses)
                .hasSize(11)
                .startsWith(Duration.ofMillis(100), Duration.ofMillis(150))
                .last()
                .isEqualTo(Duration.ofSeconds(1));
        assertThat(out.toString().lines()).as("what waits is told once").hasSize(3);
    }

    @Test
    void aJobThatIsDeletedMeanwhileIsUnknown(TestHeadgate test) {
        JobId id = enqueue(test);
        assertThatThrownBy(() -> follow(test, id, () -> test.headgate().delete(id)))
                .isInstanceOf(UnknownJobException.class);
    }

    @Test
    void linesAreNewBehindTheLastThatWasKnown() {
        List<LogLine> lines = IntStream.range(0, 9)
                .mapToObj(i -> new LogLine(Instant.EPOCH.plusSeconds(i / 2), 1, i % 3 == 0 ? "same" : "line " + i))
                .collect(Collectors.toList());
        assertThat(JobFollower.overlap(List.of(), lines)).isZero();
        assertThat(JobFollower.overlap(lines, lines)).isEqualTo(9);
        assertThat(JobFollower.overlap(lines.subList(0, 5), lines)).isEqualTo(5);
        assertThat(JobFollower.overlap(lines.subList(0, 5), lines.subList(3, 9)))
                .as("two were dropped")
                .isEqualTo(2);
        assertThat(JobFollower.overlap(lines.subList(0, 3), lines.subList(3, 9)))
                .as("all were")
                .isZero();
    }

    @Test
    void theStackOfAFailureIsReadable(TestHeadgate test) throws InterruptedException {
        test.headgate()
                .handle(
                        PRINT,
                        (page, job) -> {
                            throw new IllegalStateException("out of paper");
                        },
                        HandlerOptions.DEFAULT.attempts(1));
        test.headgate().worker("default").slots(1).start();
        assertThat(follow(test, enqueue(test), test::run)).isEqualTo(JobState.FAILED);
        assertThat(out.toString()).contains("out of paper", "    at ").doesNotContain("u0009");
    }
}
