package dev.headgate.examples;

import static dev.headgate.limit.Limit.concurrency;
import static dev.headgate.limit.Limit.window;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.headgate.Enqueued;
import dev.headgate.Headgate;
import dev.headgate.event.Event;
import dev.headgate.handler.BatchMember;
import dev.headgate.handler.BatchOptions;
import dev.headgate.handler.HandlerOptions;
import dev.headgate.handler.PermanentFailure;
import dev.headgate.handler.RetryLater;
import dev.headgate.handler.RetryPolicy;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobType;
import dev.headgate.job.Unmet;
import dev.headgate.limit.BacklogCap;
import dev.headgate.limit.BacklogFullException;
import dev.headgate.limit.Pause;
import dev.headgate.schedule.Overlap;
import dev.headgate.schedule.Schedule;
import dev.headgate.testkit.TestHeadgate;
import dev.headgate.testkit.junit.HeadgateExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The examples of Conveyor's documentation, and what BullMQ has beside them, written for Headgate. */
@ExtendWith(HeadgateExtension.class)
class FromConveyorTest {
    // docs:begin conveyor-job
    record Call(String url) {}

    static final JobType<Call> CALL_API = JobType.of("call-api", Call.class);
    // docs:end

    static final JobType<Call> ASSEMBLE = JobType.of("assemble-report", Call.class);

    final List<String> seen = new ArrayList<>();

    @Test
    void tenASecond(TestHeadgate test) {
        Headgate headgate = test.headgate();
        // docs:begin conveyor-limiter
        headgate.policies()
                .queue(
                        "api-calls",
                        queue -> queue.limit(window(10).per(ofSeconds(1))).maxInFlight(50));
        headgate.handle(CALL_API, (call, job) -> callExternalApi(call));
        headgate.worker("api-calls").slots(5).start();
        headgate.enqueue(CALL_API, new Call("/status"), job -> job.queue("api-calls"));
        // docs:end
        headgate.worker("api-calls").slots(5).start();
        headgate.enqueueAll(CALL_API, calls(25), (call, job) -> job.queue("api-calls"));
        assertThat(test.run()).as("both workers together").hasSize(10);
        assertThat(test.runFor(ofSeconds(1).minusNanos(1_000))).isEmpty();
        assertThat(test.runFor(Duration.ofNanos(1_000))).as("not a poll later").hasSize(10);
    }

    private void callExternalApi(Call call) {
        seen.add(call.url());
    }

    private static List<Call> calls(int count) {
        List<Call> calls = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            calls.add(new Call("/" + i));
        }
        return calls;
    }

    @Test
    void groups(TestHeadgate test) {
        Headgate headgate = test.headgate();
        // docs:begin conveyor-groups
        headgate.policies()
                .gate(
                        "tenant:*", // each tenant for itself
                        gate -> gate.limit(concurrency(2))
                                .limit(window(10).per(ofMinutes(1)))
                                .backlog(BacklogCap.reject(1_000)))
                .queue("tasks", queue -> queue.fairBy("tenant:*"));
        headgate.enqueue(CALL_API, new Call("/1"), job -> job.queue("tasks").gate("tenant:1"));
        headgate.enqueue(CALL_API, new Call("/2"), job -> job.queue("tasks").gate("tenant:2"));
        // docs:end
        headgate.handle(CALL_API, (call, job) -> callExternalApi(call));
        headgate.worker("tasks").slots(20).start();
        test.run();
        assertThat(seen).containsExactlyInAnyOrder("/1", "/2");
        headgate.enqueueAll(
                CALL_API, calls(1_000), (call, job) -> job.queue("tasks").gate("tenant:1"));
        assertThatExceptionOfType(BacklogFullException.class)
                .isThrownBy(() -> headgate.enqueue(
                        CALL_API, new Call("/1001"), job -> job.queue("tasks").gate("tenant:1")));
        assertThat(test.claim()).as("two at once").hasSize(2);
        assertThat(test.run()).as("ten a minute").hasSize(9);
    }

    @Test
    void batches(TestHeadgate test) {
        Headgate headgate = test.headgate();
        // docs:begin conveyor-batch
        headgate.handleBatch(CALL_API, BatchOptions.upTo(10), members -> {
            List<Boolean> answers =
                    bulkApi(members.stream().map(BatchMember::payload).toList());
            for (int i = 0; i < members.size(); i++) {
                if (answers.get(i)) {
                    members.get(i).succeed("answered");
                } else {
                    members.get(i).fail(new PermanentFailure("refused"));
                }
            }
        });
        headgate.worker("imports").slots(30).start(); // three batches of ten at once
        // docs:end
        List<Enqueued> jobs = headgate.enqueueAll(CALL_API, calls(10), (call, job) -> job.queue("imports"));
        test.run();
        test.assertThat(jobs.get(3).id()).hasFailed();
        test.assertThat(jobs.get(4).id()).hasResult("answered");
    }

    private static List<Boolean> bulkApi(List<Call> calls) {
        return calls.stream().map(call -> !call.url().equals("/3")).toList();
    }

    @Test
    void flows(TestHeadgate test) {
        Headgate headgate = test.headgate();
        // docs:begin conveyor-flow
        JobId report = headgate.enqueue(
                        ASSEMBLE,
                        new Call("report 42"),
                        job -> job.queue("reports")
                                .child(CALL_API, new Call("sales"), child -> child.queue("reports"))
                                .child(
                                        Unmet.IGNORE,
                                        CALL_API,
                                        new Call("inventory"),
                                        child -> child.queue("reports").attempts(1)))
                .id();
        headgate.handleWithResult(ASSEMBLE, (call, job) -> {
            List<Integer> values = job.childResults(Integer.class);
            return values.stream().mapToInt(Integer::intValue).sum();
        });
        // docs:end
        headgate.handleWithResult(CALL_API, (call, job) -> {
            if (call.url().equals("inventory")) {
                throw new IllegalStateException("no inventory");
            }
            return 1_000_000;
        });
        headgate.worker("reports").start();
        test.run();
        test.assertThat(report).hasResult(1_000_000);
    }

    @Test
    void deduplication(TestHeadgate test) {
        Headgate headgate = test.headgate();
        Instant now = headgate.overview().at();
        // docs:begin conveyor-dedup
        Enqueued first = headgate.enqueue(
                CALL_API, new Call("/u/123"), job -> job.dedup("sync-user-123").delay(ofSeconds(5)));
        Enqueued again = headgate.enqueue(CALL_API, new Call("/u/123"), job -> job.dedup("sync-user-123"));
        if (!again.isNew()) { // debounce: five seconds of silence first
            headgate.reschedule(again.id(), now.plusSeconds(5));
        }
        headgate.enqueue(CALL_API, new Call("/digest"), job -> job.dedup("daily-digest", ofSeconds(60)));
        // docs:end
        assertThat(again.id()).isEqualTo(first.id());
        test.time().advance(ofSeconds(61));
        assertThat(headgate.enqueue(CALL_API, new Call("/digest"), job -> job.dedup("daily-digest"))
                        .isNew())
                .isTrue();
    }

    @Test
    void scheduling(TestHeadgate test) {
        Headgate headgate = test.headgate();
        headgate.handle(CALL_API, (call, job) -> callExternalApi(call));
        headgate.worker("default").start();
        Instant april = Instant.parse("2026-04-01T00:00:00Z");
        // docs:begin conveyor-schedule
        headgate.enqueue(CALL_API, new Call("/remind"), job -> job.delay(ofMinutes(5)));
        headgate.schedules().put("cleanup", Schedule.every(ofHours(2)), CALL_API, new Call("/tmp"));
        headgate.schedules().put("sync", Schedule.every(ofMinutes(5), april), CALL_API, new Call("/sync"));
        headgate.schedules()
                .put("daily-report", Schedule.cron("0 9 * * *", "Europe/Paris"), CALL_API, new Call("/report"));
        headgate.schedules()
                .put(
                        "one-after-the-other",
                        Schedule.every(ofSeconds(30)).overlap(Overlap.SKIP),
                        CALL_API,
                        new Call("/health"));
        // docs:end
        headgate.schedules().remove("one-after-the-other");
        test.runFor(ofHours(9));
        assertThat(seen)
                .containsOnlyOnce("/remind", "/report")
                .filteredOn("/tmp"::equals)
                .hasSize(4);
    }

    @Test
    void retries(TestHeadgate test) {
        Headgate headgate = test.headgate();
        // docs:begin conveyor-retry
        headgate.handle(
                CALL_API,
                (call, job) -> {
                    if (call.url().startsWith("custom")) {
                        throw RetryLater.after(ofSeconds(2).multipliedBy(job.attempt()), "not yet");
                    }
                    if (call.url().startsWith("invalid")) {
                        throw new PermanentFailure("no point in trying again");
                    }
                    throw new IllegalStateException("failed");
                },
                HandlerOptions.DEFAULT
                        .attempts(5)
                        .retry(RetryPolicy.exponential(ofSeconds(1)))
                        .timeout(ofSeconds(10)));
        JobId fixed = headgate.enqueue(CALL_API, new Call("/mail"), job -> job.retry(RetryPolicy.fixed(ofSeconds(2))))
                .id();
        JobId once = headgate.enqueue(CALL_API, new Call("/once"), job -> job.attempts(1))
                .id();
        // docs:end
        JobId invalid = headgate.enqueue(CALL_API, new Call("invalid")).id();
        JobId custom = headgate.enqueue(CALL_API, new Call("custom")).id();
        headgate.worker("default").start();
        test.run();
        test.assertThat(once).hasFailed();
        test.assertThat(invalid).hasFailed().hasAttempts(1);
        test.runFor(ofSeconds(8));
        test.assertThat(fixed).hasFailed().hasAttempts(5);
        test.assertThat(custom).hasAttempts(3);
        test.runFor(ofSeconds(12));
        test.assertThat(custom).hasFailed().hasAttempts(5);
    }

    @Test
    void order(TestHeadgate test) {
        Headgate headgate = test.headgate();
        headgate.handle(CALL_API, (call, job) -> callExternalApi(call));
        // docs:begin conveyor-priority
        headgate.enqueue(CALL_API, new Call("background"), job -> job.priority(-100));
        headgate.enqueue(CALL_API, new Call("standard"), job -> job.priority(-10));
        headgate.enqueue(CALL_API, new Call("urgent"));
        headgate.enqueue(CALL_API, new Call("last in, first out"), job -> job.front());
        // docs:end
        headgate.worker("default").slots(1).start();
        test.run();
        assertThat(seen).containsExactly("last in, first out", "urgent", "standard", "background");
    }

    @Test
    void pauseAndChange(TestHeadgate test) {
        Headgate headgate = test.headgate();
        headgate.handle(CALL_API, (call, job) -> callExternalApi(call));
        headgate.worker("default").start();
        // docs:begin conveyor-pause
        headgate.controls().pause(Pause.queue("emails"), "maintenance");
        headgate.controls().pause(Pause.type("call-api"), "the API is down");
        headgate.controls().resume(Pause.type("call-api"));
        headgate.controls().resume(Pause.queue("emails"));
        // docs:end
        JobId id = headgate.enqueue(CALL_API, new Call("/"), job -> job.delay(ofHours(1)))
                .id();
        Instant now = headgate.overview().at();
        // docs:begin conveyor-mutations
        headgate.reschedule(id, now.plus(ofMinutes(5))); // changeDelay
        headgate.changePriority(id, 1);
        headgate.retry(id); // promote: now
        // docs:end
        assertThat(test.run()).containsExactly(id);
    }

    @Test
    void listening(TestHeadgate test) {
        Headgate headgate = test.headgate();
        headgate.handleWithResult(CALL_API, (call, job) -> "answer");
        // docs:begin conveyor-events
        headgate.listen(event -> {
            switch (event) {
                case Event.JobStarted started ->
                    seen.add("active " + started.attempt().job());
                case Event.JobEnded ended -> seen.add("ended " + ended.outcome());
                default -> {}
            }
        });
        // docs:end
        headgate.worker("default").start();
        JobId id = headgate.enqueue(CALL_API, new Call("/")).id();
        test.run();
        test.assertThat(id).hasResult("answer");
        headgate.close();
        assertThat(seen).containsExactly("active " + id, "ended Succeeded[result=\"answer\"]");
    }

    @Test
    void tooManyRequests(TestHeadgate test) {
        Headgate headgate = test.headgate();
        List<Integer> answers = new ArrayList<>(List.of(429, 200, 200));
        // docs:begin bullmq-429
        headgate.handle(CALL_API, (call, job) -> {
            int status = answers.removeFirst();
            if (status == 429) {
                throw job.pushedBack("api-calls", ofSeconds(30)); // its queue, or a gate of it
            }
            callExternalApi(call);
        });
        // docs:end
        headgate.worker("api-calls").slots(1).start();
        List<Enqueued> jobs = headgate.enqueueAll(CALL_API, calls(2), (call, job) -> job.queue("api-calls"));
        test.run();
        assertThat(test.runFor(ofSeconds(29))).isEmpty();
        test.runFor(ofSeconds(60));
        test.assertThat(jobs.getFirst().id()).is(JobState.SUCCEEDED).hasAttempts(1);
        assertThat(seen).hasSize(2);
    }
}
