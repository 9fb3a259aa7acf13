package dev.headgate.examples;

import static dev.headgate.limit.Limit.concurrency;
import static dev.headgate.limit.Limit.rate;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.Headgate;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobType;
import dev.headgate.testkit.TestHeadgate;
import dev.headgate.testkit.junit.HeadgateExtension;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** How to test jobs of your own: a store in memory, a clock that obeys, workers that are stepped by hand. */
// docs:begin test-jobs
@ExtendWith(HeadgateExtension.class)
class YourJobsTest {
    record Reminder(String customer) {}

    static final JobType<Reminder> REMIND = JobType.of("remind", Reminder.class);

    final List<String> sent = new ArrayList<>();

    @BeforeEach
    void startTheApplication(TestHeadgate test) {
        Headgate headgate = test.headgate();
        headgate.policies()
                .gate("mail", gate -> gate.limit(rate(3).per(ofMinutes(1)).burst(3)));
        headgate.handle(REMIND, (reminder, job) -> sent.add(reminder.customer()));
        headgate.worker("default").slots(10).start();
    }

    @Test
    void aReminderGoesOutAfterThreeDaysAndNotBefore(TestHeadgate test) {
        JobId id = test.headgate()
                .enqueue(REMIND, new Reminder("acme"), job -> job.delay(ofDays(3)))
                .id();

        test.runFor(ofDays(3).minusSeconds(1));
        test.assertThat(id).is(JobState.SCHEDULED);

        test.runFor(ofSeconds(1));
        test.assertThat(id).hasSucceeded();
        assertThat(sent).containsExactly("acme");
    }
    // docs:end

    // docs:begin test-rate
    @Test
    void threeRemindersGoOutAtOnceAndThenOneEveryTwentySeconds(TestHeadgate test) {
        for (int i = 0; i < 100; i++) {
            test.headgate().enqueue(REMIND, new Reminder("customer " + i), job -> job.gate("mail"));
        }
        assertThat(test.run()).hasSize(3);
        assertThat(test.runFor(ofSeconds(19))).isEmpty();
        assertThat(test.runFor(ofSeconds(1))).hasSize(1);
        assertThat(test.runFor(ofMinutes(10))).hasSize(30);
    }
    // docs:end

    // docs:begin test-concurrency
    @Test
    void twoRemindersAtOnceForEachTenant(TestHeadgate test) {
        test.headgate().policies().gate("tenant:*", gate -> gate.limit(concurrency(2)));
        List<JobId> ids = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            ids.add(test.headgate()
                    .enqueue(REMIND, new Reminder("acme"), job -> job.gate("tenant:acme"))
                    .id());
        }

        assertThat(test.claim()).containsExactly(ids.get(0), ids.get(1));
        test.assertThat(ids.get(2)).isWaitingAt("tenant:acme");

        test.run();
        test.assertThat(ids.get(2)).hasSucceeded();
    }
    // docs:end

    // docs:begin test-retry
    @Test
    void aReminderThatFailsIsTriedAgain(TestHeadgate test) {
        JobType<Reminder> flaky = JobType.of("flaky", Reminder.class);
        test.headgate().handle(flaky, (reminder, job) -> {
            if (job.attempt() == 1) {
                throw new IllegalStateException("the mail server is away");
            }
        });
        JobId id = test.headgate().enqueue(flaky, new Reminder("acme")).id();

        test.run();
        test.assertThat(id).is(JobState.SCHEDULED);

        test.runFor(ofMinutes(1));
        test.assertThat(id).hasSucceeded().hasAttempts(2);
    }
    // docs:end
}
