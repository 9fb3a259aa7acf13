package dev.headgate.examples;

import static dev.headgate.limit.Limit.concurrency;
import static dev.headgate.limit.Limit.delay;
import static dev.headgate.limit.Limit.spaced;
import static dev.headgate.limit.Limit.window;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.Headgate;
import dev.headgate.handler.HandlerOptions;
import dev.headgate.handler.PermanentFailure;
import dev.headgate.handler.RetryPolicy;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobType;
import dev.headgate.limit.BackOff;
import dev.headgate.limiter.Denied;
import dev.headgate.limiter.Limiter;
import dev.headgate.limiter.LocalLimiter;
import dev.headgate.limiter.Permit;
import dev.headgate.testkit.TestHeadgate;
import dev.headgate.testkit.junit.HeadgateExtension;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The examples of Workglow's job queue, written for Headgate. */
@ExtendWith(HeadgateExtension.class)
class FromWorkglowTest {
    // docs:begin workglow-job
    record Text(String text, boolean isUppercase) {}

    record Processed(String text, int words) {}

    static final JobType<Text> PROCESS = JobType.of("process-text", Text.class);
    // docs:end

    record Call(String url) {}

    static final JobType<Call> CALL = JobType.of("api-call", Call.class);

    final List<String> seen = new ArrayList<>();

    @Test
    void quickStart(TestHeadgate test) {
        Headgate headgate = test.headgate();
        Instant now = test.time().now();
        // docs:begin workglow-start
        headgate.handleWithResult(PROCESS, (input, job) -> {
            job.progress(25, "starting");
            String text = input.isUppercase()
                    ? input.text().toUpperCase(Locale.ROOT)
                    : input.text().toLowerCase(Locale.ROOT);
            job.checkCancelled();
            job.progress(50, "counting");
            return new Processed(text, text.split("\\s+").length);
        });
        headgate.worker("text-processor").slots(2).start();
        JobId id = headgate.enqueue(
                        PROCESS,
                        new Text("Hello World", true),
                        job -> job.queue("text-processor")
                                .attempts(6) // five retries
                                .delay(ofMinutes(1))
                                .deadline(now.plus(ofHours(1)))
                                .dedup("hello-world-v1"))
                .id();
        // docs:end
        test.runFor(ofMinutes(1));
        test.assertThat(id).hasResult(new Processed("HELLO WORLD", 2));
    }

    @Test
    void aProviderForAllProcesses(TestHeadgate test) {
        Headgate headgate = test.headgate();
        headgate.handle(CALL, (call, job) -> seen.add(call.url()));
        headgate.worker("openai").slots(20).start();
        // docs:begin workglow-provider
        headgate.policies()
                .queue(
                        "openai",
                        queue -> queue.limit(concurrency(5))
                                .limit(window(50).per(ofMinutes(1)))
                                .backOff(new BackOff(ofSeconds(2), 200, ofMinutes(2))));
        // docs:end
        for (int i = 0; i < 60; i++) {
            headgate.enqueue(CALL, new Call("/" + i), job -> job.queue("openai"));
        }
        test.run();
        assertThat(seen).hasSize(50);
        test.runFor(ofMinutes(1));
        assertThat(seen).hasSize(60);
    }

    @Test
    void aGentleCrawl(TestHeadgate test) {
        Headgate headgate = test.headgate();
        headgate.handle(CALL, (call, job) -> seen.add(call.url()));
        headgate.worker("crawl").start();
        // docs:begin workglow-spaced
        headgate.policies()
                .queue(
                        "crawl",
                        queue -> queue.limit(spaced(10).per(ofSeconds(60))).limit(delay(ofMillis(500))));
        // docs:end
        for (int i = 0; i < 3; i++) {
            headgate.enqueue(CALL, new Call("/" + i), job -> job.queue("crawl"));
        }
        test.run();
        test.runFor(ofMillis(5_999));
        assertThat(seen).hasSize(1);
        test.runFor(ofMillis(1));
        assertThat(seen).as("six seconds from start to start").hasSize(2);
    }

    @Test
    void limitersInThisProcess(TestHeadgate test) throws InterruptedException {
        Headgate headgate = test.headgate();
        // docs:begin workglow-limiter
        LocalLimiter limiter = Limiter.inProcess(concurrency(3)).add(delay(ofMillis(100)));
        limiter.add(window(20).per(ofSeconds(60)));
        headgate.worker("local-compute").slots(8).limiter(limiter).start();

        switch (limiter.tryAcquire()) {
            case Permit permit -> {
                try (permit) {
                    seen.add("started");
                }
            }
            case Denied denied -> seen.add("next in " + denied.next());
        }
        // docs:end
        assertThat(seen).containsExactly("started");
    }

    @Test
    void errors(TestHeadgate test) {
        Headgate headgate = test.headgate();
        List<Integer> answers = new ArrayList<>(List.of(429, 200, 404, 500, 200));
        // docs:begin workglow-errors
        headgate.handle(
                CALL,
                (call, job) -> {
                    int status = answers.removeFirst();
                    switch (status) {
                        case 200 -> seen.add(call.url());
                        case 429 -> throw job.pushedBack("openai", ofMinutes(1)); // every job of the queue waits
                        case 404 -> throw new PermanentFailure("endpoint not found");
                        default -> throw new IllegalStateException("HTTP " + status); // tried again
                    }
                },
                HandlerOptions.DEFAULT.attempts(11).retry(RetryPolicy.exponential(ofSeconds(1))));
        // docs:end
        headgate.worker("openai").slots(1).start();
        List<JobId> ids = new ArrayList<>();
        for (String url : List.of("/a", "/b", "/c")) {
            ids.add(headgate.enqueue(CALL, new Call(url), job -> job.queue("openai"))
                    .id());
        }
        test.run();
        test.runFor(ofSeconds(59));
        assertThat(seen).isEmpty();
        test.runFor(ofSeconds(5));
        test.assertThat(ids.get(0)).hasSucceeded().hasAttempts(1);
        test.assertThat(ids.get(1)).hasFailed();
        test.assertThat(ids.get(2)).hasSucceeded().hasAttempts(2);
    }

    @Test
    void abort(TestHeadgate test) {
        Headgate headgate = test.headgate();
        // docs:begin workglow-abort
        List<Call> urls = List.of(new Call("/file1.zip"), new Call("/file2.zip"));
        List<JobId> batch = headgate.enqueueAll(CALL, urls).stream()
                .map(enqueued -> enqueued.id())
                .toList();
        batch.forEach(headgate::cancel); // abortJobRun
        // docs:end
        batch.forEach(id -> test.assertThat(id).is(JobState.CANCELLED));
    }
}
