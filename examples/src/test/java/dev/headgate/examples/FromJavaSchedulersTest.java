package dev.headgate.examples;

import static dev.headgate.limit.Limit.concurrency;
import static dev.headgate.limit.Limit.window;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.Headgate;
import dev.headgate.handler.HandlerOptions;
import dev.headgate.handler.RetryLater;
import dev.headgate.handler.RetryPolicy;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobType;
import dev.headgate.schedule.Missed;
import dev.headgate.schedule.Overlap;
import dev.headgate.schedule.Schedule;
import dev.headgate.testkit.TestHeadgate;
import dev.headgate.testkit.junit.HeadgateExtension;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The usual examples of JobRunr, db-scheduler and Quartz, written for Headgate. */
@ExtendWith(HeadgateExtension.class)
class FromJavaSchedulersTest {
    // docs:begin jobrunr-job
    record Newsletter(String to) {}

    static final JobType<Newsletter> SEND = JobType.of("send-newsletter", Newsletter.class)
            .queue("mail")
            .attempts(4)
            .gate(newsletter -> "recipient:" + newsletter.to());
    // docs:end

    record Data(long id) {}

    // docs:begin db-scheduler-task
    static final JobType<Data> ADHOC = JobType.of("my-typed-adhoc-task", Data.class);
    static final JobType<Data> HOURLY = JobType.of("my-hourly-task", Data.class);
    // docs:end

    static final JobType<Data> NEXT = JobType.of("next", Data.class);

    final List<String> done = new ArrayList<>();

    @Test
    void jobRunr(TestHeadgate test) {
        Headgate headgate = test.headgate();
        Instant soon = test.time().now().plus(ofMinutes(5));
        // docs:begin jobrunr-enqueue
        headgate.policies().gate("recipient:*", gate -> gate.limit(concurrency(1))); // mutex
        headgate.policies().queue("mail", queue -> queue.limit(window(100).per(ofMinutes(1))));
        headgate.handle(SEND, (newsletter, job) -> {
            job.progress(50, "half of it");
            job.log("sending to " + newsletter.to());
            done.add(newsletter.to());
        });
        headgate.worker("mail").slots(16).start();

        JobId now = headgate.enqueue(SEND, new Newsletter("ada")).id();
        JobId later = headgate.enqueue(SEND, new Newsletter("bob"), job -> job.at(soon))
                .id();
        headgate.enqueueAll(
                SEND,
                IntStream.range(0, 150)
                        .mapToObj(i -> new Newsletter("user" + i))
                        .toList());
        headgate.schedules()
                .put("weekly", Schedule.cron("0 8 * * MON", "Europe/Brussels"), SEND, new Newsletter("all"));
        // docs:end
        test.run();
        test.assertThat(now).hasSucceeded();
        assertThat(done).as("a hundred a minute").hasSize(100);
        test.runFor(ofMinutes(5));
        test.assertThat(later).hasSucceeded();
        assertThat(done).hasSize(152);
    }

    @Test
    void dbScheduler(TestHeadgate test) {
        Headgate headgate = test.headgate();
        Instant now = test.time().now();
        // docs:begin db-scheduler-schedule
        headgate.handle(HOURLY, (data, job) -> done.add("hourly"));
        headgate.handle(
                ADHOC,
                (data, job) -> {
                    done.add("adhoc " + data.id());
                    headgate.enqueue(NEXT, data, next -> next.dedup("after " + job.id()));
                },
                HandlerOptions.DEFAULT.attempts(3).retry(RetryPolicy.exponential(ofSeconds(10))));
        headgate.schedules().put("my-hourly-task", Schedule.every(ofHours(1)), HOURLY, new Data(0));
        headgate.worker("default").slots(10).start();
        JobId id = headgate.enqueue(
                        ADHOC,
                        new Data(1001),
                        job -> job.dedup("my-typed-adhoc-task 1045").at(now.plusSeconds(5)))
                .id();
        headgate.reschedule(id, now.plusSeconds(10));
        // docs:end
        headgate.handle(NEXT, (data, job) -> done.add("next " + data.id()));
        test.runFor(ofSeconds(9));
        assertThat(done).isEmpty();
        test.runFor(ofSeconds(1));
        assertThat(done).containsExactly("adhoc 1001", "next 1001");
        test.runFor(ofHours(2));
        assertThat(done).filteredOn("hourly"::equals).hasSize(2);
        // docs:begin db-scheduler-client
        for (var waiting :
                headgate.list(JobFilter.all().type("my-typed-adhoc-task").state(JobState.SCHEDULED))) {
            headgate.cancel(waiting.id());
        }
        // docs:end
    }

    @Test
    void fixedDelay(TestHeadgate test) {
        Headgate headgate = test.headgate();
        // docs:begin db-scheduler-fixed-delay
        headgate.handle(ADHOC, (data, job) -> {
            done.add("run");
            headgate.enqueue(ADHOC, data, next -> next.delay(ofMinutes(5)).dedup("after " + job.id()));
        });
        headgate.enqueue(ADHOC, new Data(1), job -> job.dedup("first"));
        // docs:end
        headgate.worker("default").start();
        test.runFor(ofMinutes(15));
        assertThat(done).hasSize(4);
    }

    @Test
    void quartz(TestHeadgate test) {
        Headgate headgate = test.headgate();
        // docs:begin quartz-schedule
        headgate.handle(HOURLY, (data, job) -> {
            done.add("job1 at " + job.scheduledFor().orElse(null)); // absent if started by hand
            if (data.id() == 0) {
                throw RetryLater.after(ofSeconds(0), "refire"); // refireImmediately
            }
        });
        headgate.schedules()
                .put(
                        "group1.trigger1",
                        Schedule.every(ofSeconds(40))
                                .missed(Missed.SKIP) // misfire: do nothing
                                .overlap(Overlap.SKIP), // disallow concurrent execution
                        HOURLY,
                        new Data(1),
                        job -> job.priority(5));
        headgate.schedules()
                .put("group1.trigger3", Schedule.cron("0 0/2 8-17 * * ?", "America/New_York"), HOURLY, new Data(3));
        headgate.worker("default").slots(10).start();
        // docs:end
        test.runFor(ofMinutes(2));
        assertThat(done)
                .containsExactly(
                        "job1 at 2026-01-01T00:00:40Z", "job1 at 2026-01-01T00:01:20Z", "job1 at 2026-01-01T00:02:00Z");
        // docs:begin quartz-control
        headgate.schedules().pause("group1.trigger1"); // pauseTrigger
        headgate.schedules().resume("group1.trigger1");
        headgate.schedules().edit("group1.trigger1", edit -> edit.schedule(before -> Schedule.every(ofMinutes(1))));
        headgate.enqueue(HOURLY, new Data(1), job -> job.attempts(1)); // triggerJob
        headgate.schedules().remove("group1.trigger1"); // unscheduleJob
        // docs:end
    }
}
