package dev.headgate.examples;

import static dev.headgate.limit.Limit.concurrency;
import static java.time.Duration.ZERO;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.Headgate;
import dev.headgate.event.Event;
import dev.headgate.handler.RetryPolicy;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobType;
import dev.headgate.job.Outcome;
import dev.headgate.limit.Pause;
import dev.headgate.limit.Serve;
import dev.headgate.schedule.Schedule;
import dev.headgate.testkit.TestHeadgate;
import dev.headgate.testkit.junit.HeadgateExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The examples of RQ's documentation, written for Headgate. */
@ExtendWith(HeadgateExtension.class)
class FromRqTest {
    // docs:begin rq-job
    record Url(String url) {}

    static final JobType<Url> COUNT_WORDS = JobType.of("count-words", Url.class);
    // docs:end

    record Report(String name) {}

    record Check(String url, int left) {}

    static final JobType<Report> GENERATE_REPORT = JobType.of("generate-report", Report.class);
    static final JobType<Report> SEND_REPORT = JobType.of("send-report", Report.class);
    static final JobType<Check> CHECK = JobType.of("check", Check.class);

    final List<String> done = new ArrayList<>();

    private static int countWords(String url) {
        if (url.contains("gone")) {
            throw new IllegalStateException("no such page");
        }
        return url.length();
    }

    /** The workers that these examples expect. */
    private void serve(Headgate headgate) {
        // docs:begin rq-worker
        headgate.handleWithResult(COUNT_WORDS, (page, job) -> countWords(page.url()));
        headgate.worker("high", "default", "low").serving(Serve.STRICT).slots(4).start();
        // docs:end
        headgate.handle(GENERATE_REPORT, (report, job) -> done.add("generated " + report.name()));
        headgate.handle(SEND_REPORT, (report, job) -> done.add("sent " + report.name()));
    }

    @Test
    void theResultOfAFunction(TestHeadgate test) {
        Headgate headgate = test.headgate();
        serve(headgate);
        // docs:begin rq-enqueue
        JobId id = headgate.enqueue(COUNT_WORDS, new Url("http://nvie.com")).id();
        // docs:end
        test.run();
        // docs:begin rq-result
        int words = headgate.result(id, Integer.class).orElseThrow();
        // docs:end
        assertThat(words).isEqualTo(15);
    }

    @Test
    void theOptionsOfAJob(TestHeadgate test) {
        Headgate headgate = test.headgate();
        serve(headgate);
        // docs:begin rq-options
        Instant now = headgate.overview().at();
        JobId id = headgate.enqueue(
                        COUNT_WORDS,
                        new Url("http://nvie.com"),
                        job -> job.queue("low")
                                .timeout(ofMinutes(3))
                                .deadline(now.plusSeconds(43))
                                .dedup("nvie.com")
                                .front())
                .id();
        // docs:end
        headgate.controls().pause(Pause.queue("low"), "no worker for a while");
        test.runFor(ofSeconds(44));
        test.assertThat(id).hasFailed();
    }

    @Test
    void aJobOfWhichOnlyTheNameIsKnown(TestHeadgate test) {
        Headgate headgate = test.headgate();
        serve(headgate);
        // docs:begin rq-string
        JobId id = headgate.enqueueJson("count-words", "{\"url\":\"http://nvie.com\"}", job -> job.queue("low"))
                .id();
        // docs:end
        test.run();
        test.assertThat(id).hasResult(15);
    }

    @Test
    void manyInOneCall(TestHeadgate test) {
        Headgate headgate = test.headgate();
        serve(headgate);
        // docs:begin rq-many
        List<Url> urls = List.of(new Url("http://nvie.com"), new Url("http://python-rq.org"));
        List<JobId> ids =
                headgate.enqueueAll(COUNT_WORDS, urls, (page, job) -> job.dedup("words:" + page.url())).stream()
                        .map(enqueued -> enqueued.id())
                        .toList();
        // docs:end
        assertThat(test.run()).isEqualTo(ids);
    }

    @Test
    void dependencies(TestHeadgate test) {
        Headgate headgate = test.headgate();
        serve(headgate);
        // docs:begin rq-depends-on
        JobId generate = headgate.enqueue(GENERATE_REPORT, new Report("sales")).id();
        JobId count = headgate.enqueue(COUNT_WORDS, new Url("http://gone"), job -> job.attempts(1))
                .id();
        headgate.enqueue(SEND_REPORT, new Report("sales"), job -> job.after(generate));
        headgate.enqueue(
                SEND_REPORT,
                new Report("whatever became of it"),
                job -> job.afterEnd(count).front());
        // docs:end
        test.run();
        test.assertThat(count).hasFailed();
        assertThat(done).containsExactlyInAnyOrder("generated sales", "sent sales", "sent whatever became of it");
    }

    @Test
    void callbacks(TestHeadgate test) {
        Headgate headgate = test.headgate();
        serve(headgate);
        JobId good = headgate.enqueue(COUNT_WORDS, new Url("http://nvie.com")).id();
        JobId bad = headgate.enqueue(COUNT_WORDS, new Url("http://gone"), job -> job.attempts(1))
                .id();
        List<String> told = new ArrayList<>();
        // docs:begin rq-callbacks
        JobType<Report> report = JobType.of("report-outcome", Report.class);
        headgate.handle(report, (subject, job) -> {
            boolean isGood = job.findResult(good, Integer.class).isPresent();
            told.add(subject.name() + (isGood ? ": success" : ": failure"));
        });
        headgate.enqueue(report, new Report("word count"), job -> job.afterEnd(good));
        headgate.listen(event -> {
            if (event instanceof Event.JobEnded(var worker, var attempt, Outcome.Failed failed)) {
                told.add("job %s of this process failed".formatted(attempt.job()));
            }
        });
        // docs:end
        test.run();
        headgate.close(); // waits for the listener
        assertThat(told).contains("word count: success", "job %s of this process failed".formatted(bad));
    }

    @Test
    void aRateLimit(TestHeadgate test) {
        Headgate headgate = test.headgate();
        serve(headgate);
        // docs:begin rq-rate-limit
        headgate.policies().gate("reports", gate -> gate.limit(concurrency(2)));
        JobId a = headgate.enqueue(GENERATE_REPORT, new Report("a"), job -> job.gate("reports"))
                .id();
        JobId b = headgate.enqueue(GENERATE_REPORT, new Report("b"), job -> job.gate("reports"))
                .id();
        JobId c = headgate.enqueue(GENERATE_REPORT, new Report("c"), job -> job.gate("reports"))
                .id();
        // docs:end
        assertThat(test.claim()).containsExactly(a, b);
        assertThat(headgate.explain(c).summary())
                .isEqualTo("waiting at gate reports: 2 of 2 in use (concurrency 2); first in its lane");
        assertThat(test.run()).containsExactly(a, b, c);
    }

    @Test
    void retries(TestHeadgate test) {
        Headgate headgate = test.headgate();
        serve(headgate);
        Url gone = new Url("http://gone");
        // docs:begin rq-retry
        JobId atOnce = headgate.enqueue(
                        COUNT_WORDS, gone, job -> job.attempts(4).retry(RetryPolicy.fixed(ZERO)))
                .id();
        JobId minutes = headgate.enqueue(
                        COUNT_WORDS, gone, job -> job.attempts(4).retry(RetryPolicy.fixed(ofSeconds(60))))
                .id();
        RetryPolicy longer = RetryPolicy.exponential(ofSeconds(10), 3).max(ofSeconds(60)); // 10, 30, 60
        JobId rising = headgate.enqueue(
                        COUNT_WORDS, gone, job -> job.attempts(4).retry(longer))
                .id();
        // docs:end
        assertThat(test.run())
                .containsOnlyOnce(minutes, rising)
                .filteredOn(atOnce::equals)
                .hasSize(4);
        test.assertThat(atOnce).hasFailed();
        for (Duration wait : List.of(ofSeconds(10), ofSeconds(30), ofSeconds(60))) {
            assertThat(test.runFor(wait.minusNanos(1_000))).doesNotContain(rising);
            assertThat(test.runFor(Duration.ofNanos(1_000))).contains(rising);
        }
        test.assertThat(rising).hasFailed().hasAttempts(4);
        // docs:begin rq-requeue
        for (var failed : headgate.list(JobFilter.all().queue("default").state(JobState.FAILED))) {
            done.add(failed.id() + " " + failed.report().detail());
        }
        int requeued = headgate.redrive(JobFilter.all().queue("default").state(JobState.FAILED));
        // docs:end
        assertThat(requeued).isEqualTo(2);
    }

    @Test
    void laterAndAgain(TestHeadgate test) {
        Headgate headgate = test.headgate();
        serve(headgate);
        Instant morning = test.time().now().plus(ofHours(9));
        // docs:begin rq-later
        JobId soon = headgate.enqueue(COUNT_WORDS, new Url("http://nvie.com"), job -> job.delay(ofSeconds(10)))
                .id();
        JobId at = headgate.enqueue(COUNT_WORDS, new Url("http://nvie.com"), job -> job.at(morning))
                .id();
        // docs:end
        assertThat(test.runFor(ofSeconds(10))).containsExactly(soon);
        assertThat(test.runFor(ofHours(9))).containsExactly(at);
        // docs:begin rq-repeat
        headgate.handle(CHECK, (check, job) -> {
            countWords(check.url());
            if (check.left() > 0) {
                Check next = new Check(check.url(), check.left() - 1);
                headgate.enqueue(
                        CHECK, next, again -> again.delay(ofSeconds(30)).dedup("check after " + job.id()));
            }
        });
        headgate.enqueue(CHECK, new Check("http://nvie.com", 3));
        // docs:end
        assertThat(test.runFor(ofMinutes(10))).hasSize(4);
        // docs:begin rq-cron
        headgate.schedules()
                .put("nightly", Schedule.cron("0 3 * * *", "Europe/Berlin"), GENERATE_REPORT, new Report("daily"));
        headgate.schedules()
                .put(
                        "often",
                        Schedule.every(ofMinutes(5)),
                        CHECK,
                        new Check("http://nvie.com", 0),
                        job -> job.queue("low"));
        // docs:end
        assertThat(test.runFor(ofMinutes(20))).hasSize(4);
    }

    @Test
    void theQueueFromOutside(TestHeadgate test) {
        Headgate headgate = test.headgate();
        serve(headgate);
        JobId first = headgate.enqueue(COUNT_WORDS, new Url("http://nvie.com")).id();
        JobId second = headgate.enqueue(COUNT_WORDS, new Url("http://nvie.com")).id();
        List<Object> seen = new ArrayList<>();
        // docs:begin rq-inspect
        seen.add(headgate.list(JobFilter.all().queue("default").state(JobState.QUEUED))
                .size());
        seen.add(headgate.status(first).state());
        seen.add(headgate.explain(second).place().ahead()); // how many are before it
        seen.add(headgate.cancel(first));
        seen.add(headgate.delete(second));
        seen.add(headgate.overview().workers().size());
        // docs:end
        assertThat(seen).hasToString("[2, QUEUED, 1, DONE, DONE, 1]");
    }

    @Test
    void theJobFromInside(TestHeadgate test) {
        Headgate headgate = test.headgate();
        // docs:begin rq-current-job
        headgate.handle(COUNT_WORDS, (page, job) -> {
            job.log("job %s, attempt %d".formatted(job.id(), job.attempt()));
            job.progress(50, "half of " + page.url());
            job.checkCancelled();
        });
        headgate.around((job, next) -> {
            try {
                return next.run();
            } catch (IllegalStateException failed) {
                done.add("told the error tracker: " + failed.getMessage());
                throw failed;
            }
        });
        // docs:end
        headgate.handle(GENERATE_REPORT, (report, job) -> {
            throw new IllegalStateException("no data");
        });
        headgate.worker("default").start();
        JobId id = headgate.enqueue(COUNT_WORDS, new Url("http://nvie.com")).id();
        headgate.enqueue(GENERATE_REPORT, new Report("sales"), job -> job.attempts(1));
        test.run();
        assertThat(headgate.log(id))
                .singleElement()
                .satisfies(line -> assertThat(line.text()).isEqualTo("job %s, attempt 1".formatted(id)));
        assertThat(done).containsExactly("told the error tracker: no data");
    }
}
