package dev.headgate.examples;

import static dev.headgate.limit.Limit.adaptive;
import static dev.headgate.limit.Limit.concurrency;
import static dev.headgate.limit.Limit.rate;
import static dev.headgate.limit.Limit.window;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.Headgate;
import dev.headgate.handler.HandlerOptions;
import dev.headgate.handler.PermanentFailure;
import dev.headgate.handler.RetryPolicy;
import dev.headgate.job.JobId;
import dev.headgate.job.JobType;
import dev.headgate.limiter.Denied;
import dev.headgate.limiter.Limiter;
import dev.headgate.limiter.LocalLimiter;
import dev.headgate.limiter.Permit;
import dev.headgate.schedule.Missed;
import dev.headgate.schedule.Overlap;
import dev.headgate.schedule.Schedule;
import dev.headgate.testkit.TestHeadgate;
import dev.headgate.testkit.junit.HeadgateExtension;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The usual examples of ShedLock, Bucket4j and Resilience4j, written for Headgate. */
@ExtendWith(HeadgateExtension.class)
class FromLimitersTest {
    // docs:begin scheduled-job
    record Clean(String what) {}

    static final JobType<Clean> CLEAN = JobType.of("clean", Clean.class);
    // docs:end

    final List<String> done = new ArrayList<>();

    @Test
    void scheduled(TestHeadgate test) {
        Headgate headgate = test.headgate();
        // docs:begin scheduled-put
        headgate.handle(
                CLEAN,
                (clean, job) -> done.add(clean.what()),
                HandlerOptions.DEFAULT.attempts(1).timeout(ofMinutes(4)));
        headgate.schedules()
                .put(
                        "send",
                        Schedule.cron("0 */5 * * * *").overlap(Overlap.SKIP).missed(Missed.SKIP),
                        CLEAN,
                        new Clean("cache"));
        headgate.worker("default").start();
        // docs:end
        headgate.worker("default").start();
        test.runFor(ofMinutes(15));
        assertThat(done).as("once for each instant, with two workers").hasSize(3);
    }

    @Test
    void concurrencyLimit(TestHeadgate test) {
        Headgate headgate = test.headgate();
        // docs:begin scheduled-lock
        headgate.policies().gate("cleaning", gate -> gate.limit(concurrency(1)));
        if (headgate.limiter("cleaning").tryAcquire() instanceof Permit permit) {
            try (permit) {
                done.add("cleaned, and nobody else did meanwhile");
            }
        }
        // docs:end
        assertThat(done).hasSize(1);
    }

    @Test
    void bucket(TestHeadgate test) throws InterruptedException {
        Headgate headgate = test.headgate();
        // docs:begin bucket4j-local
        LocalLimiter bucket = Limiter.inProcess(rate(10).per(ofMinutes(1)).burst(20));
        bucket.add(rate(1_000).per(ofMinutes(60)).burst(1_000));
        switch (bucket.tryAcquire()) {
            case Permit permit -> done.add("200");
            case Denied denied -> done.add("429, Retry-After " + denied.next());
        }
        int left = bucket.available(20);
        // docs:end
        assertThat(left).isEqualTo(19);
        // docs:begin bucket4j-shared
        headgate.policies()
                .gate(
                        "api:*", // a bucket for each key, in the store
                        gate -> gate.limit(rate(10).per(ofMinutes(1)).burst(20).byCost()));
        Limiter acme = headgate.limiter("api:acme");
        if (acme.acquire(5, ofSeconds(2)) instanceof Permit permit) {
            try (permit) {
                permit.settle(3); // two tokens come back
            }
        }
        // docs:end
        assertThat(acme.check(17)).as("seventeen are left").isEmpty();
        assertThat(acme.check(18)).isPresent();
        assertThat(done).containsExactly("200");
    }

    @Test
    void resilience(TestHeadgate test) throws InterruptedException {
        Headgate headgate = test.headgate();
        // docs:begin resilience4j-limiter
        LocalLimiter limiter = Limiter.inProcess(window(10).per(ofSeconds(1)), concurrency(25));
        if (limiter.acquire(1, ofMillis(25)) instanceof Permit permit) {
            try (permit) {
                done.add("called");
            }
        }
        // docs:end
        assertThat(done).containsExactly("called");
        // docs:begin resilience4j-job
        headgate.policies()
                .gate(
                        "backend",
                        gate -> gate.limit(adaptive(1, 25)).limit(window(10).per(ofSeconds(1))));
        headgate.handle(
                CLEAN,
                (clean, job) -> {
                    switch (call(clean)) {
                        case 200 -> done.add(clean.what());
                        case 429, 503 -> throw job.pushedBack("backend", null); // opens again by a probe
                        case 400 -> throw new PermanentFailure("bad request");
                        default -> throw new IllegalStateException("no answer"); // retried
                    }
                },
                HandlerOptions.DEFAULT
                        .attempts(3)
                        .retry(RetryPolicy.exponential(ofMillis(500)))
                        .timeout(ofSeconds(1)));
        // docs:end
        headgate.worker("default").start();
        JobId down = headgate.enqueue(CLEAN, new Clean("down"), job -> job.gate("backend"))
                .id();
        JobId bad = headgate.enqueue(CLEAN, new Clean("bad"), job -> job.gate("backend"))
                .id();
        test.runFor(ofMinutes(1));
        test.assertThat(down).hasSucceeded().hasAttempts(1);
        test.assertThat(bad).hasFailed();
    }

    private int outages = 2;

    private int call(Clean clean) {
        if (clean.what().equals("bad")) {
            return 400;
        }
        return outages-- > 0 ? 503 : 200;
    }
}
