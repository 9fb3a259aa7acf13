package dev.headgate.examples;

import static dev.headgate.limit.Limit.budget;
import static dev.headgate.limit.Limit.concurrency;
import static dev.headgate.limit.Limit.window;
import static dev.headgate.resource.Needs.mb;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.Enqueued;
import dev.headgate.Headgate;
import dev.headgate.handler.HandlerOptions;
import dev.headgate.handler.RetryPolicy;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobType;
import dev.headgate.job.Unmet;
import dev.headgate.limit.Serve;
import dev.headgate.machine.Machine;
import dev.headgate.resource.Needs;
import dev.headgate.run.Join;
import dev.headgate.run.RunId;
import dev.headgate.run.RunState;
import dev.headgate.schedule.Overlap;
import dev.headgate.schedule.Schedule;
import dev.headgate.testkit.TestHeadgate;
import dev.headgate.testkit.junit.HeadgateExtension;
import dev.headgate.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The examples of Queuety's documentation, written for Headgate. */
@ExtendWith(HeadgateExtension.class)
class FromQueuetyTest {
    // docs:begin queuety-job
    record Email(String to, String subject) {}

    static final JobType<Email> SEND_EMAIL = JobType.of("send_email", Email.class);
    // docs:end

    record Supplier(int id) {}

    static final JobType<Supplier> IMPORT = JobType.of("import-products", Supplier.class);
    static final JobType<Supplier> IMPORTED = JobType.of("imported", Supplier.class);

    final List<String> done = new ArrayList<>();

    @Test
    void dispatch(TestHeadgate test) {
        Headgate headgate = test.headgate();
        // docs:begin queuety-dispatch
        headgate.handle(
                SEND_EMAIL,
                (email, job) -> send(email),
                HandlerOptions.DEFAULT
                        .attempts(5)
                        .timeout(ofMinutes(5))
                        .retry(RetryPolicy.exponential(ofSeconds(60)).max(ofHours(1))));
        JobId id = headgate.enqueue(
                        SEND_EMAIL,
                        new Email("user@example.com", "Welcome"),
                        job -> job.queue("emails")
                                .priority(2)
                                .delay(ofMinutes(5))
                                .dedup("welcome user@example.com"))
                .id();
        headgate.enqueue(SEND_EMAIL, new Email("admin@example.com", "told"), job -> job.after(id));
        headgate.worker("critical", "emails", "default").serving(Serve.STRICT).start();
        // docs:end
        test.runFor(ofMinutes(5));
        assertThat(done).containsExactly("Welcome", "told");
    }

    private void send(Email email) {
        done.add(email.subject());
    }

    @Test
    void limits(TestHeadgate test) {
        Headgate headgate = test.headgate();
        // docs:begin queuety-limits
        headgate.policies()
                .queue("imports", queue -> queue.limit(budget(8))) // queue cost budget
                .gate(
                        "providers",
                        gate -> gate.limit(concurrency(3)).limit(window(60).per(ofMinutes(1))));
        headgate.handle(
                IMPORT,
                (supplier, job) -> done.add("imported " + supplier.id()),
                HandlerOptions.DEFAULT.needs(Needs.memory(mb(16))).expected(ofSeconds(20)));
        headgate.enqueueAll(
                IMPORT,
                List.of(new Supplier(1), new Supplier(2), new Supplier(3)),
                (supplier, job) -> job.queue("imports").gate("providers").cost(4));
        headgate.worker("imports").slots(2, 32).start();
        // docs:end
        headgate.worker("imports").slots(32).start();
        List<JobId> running = test.claim();
        assertThat(running).as("two of cost 4").hasSize(2);
        JobId third = JobId.of(3);
        assertThat(headgate.explain(third).summary()).startsWith("waiting at queue imports: 8 of 8 units in use");
        assertThat(test.run()).hasSize(3);
    }

    @Test
    void middleware(TestHeadgate test) {
        Headgate headgate = test.headgate();
        // docs:begin queuety-middleware
        headgate.around((job, next) -> {
            done.add("starting " + job.type());
            try {
                return next.run();
            } finally {
                done.add("finished " + job.type());
            }
        });
        headgate.policies().gate("import:*", gate -> gate.limit(concurrency(1))); // without overlapping
        headgate.handle(IMPORT, (supplier, job) -> done.add("imported " + supplier.id()));
        headgate.enqueue(IMPORT, new Supplier(7), job -> job.gate("import:7"));
        // docs:end
        headgate.worker("default").start();
        test.run();
        assertThat(done).containsExactly("starting import-products", "imported 7", "finished import-products");
    }

    @Test
    void batchesAndChains(TestHeadgate test) {
        Headgate headgate = test.headgate();
        headgate.handle(IMPORT, (supplier, job) -> {
            if (supplier.id() == 2) {
                throw new IllegalStateException("no such supplier");
            }
            done.add("imported " + supplier.id());
        });
        // docs:begin queuety-batch
        headgate.handle(IMPORTED, (supplier, job) -> {
            long failed = job.children().stream()
                    .filter(child -> child.state() != JobState.SUCCEEDED)
                    .count();
            done.add(failed == 0 ? "all imported" : failed + " failed");
        });
        JobId batch = headgate.enqueue( // allow_failures, finally
                        IMPORTED,
                        new Supplier(0),
                        job -> job.child(Unmet.IGNORE, IMPORT, new Supplier(1), chunk -> chunk.queue("imports"))
                                .child(
                                        Unmet.IGNORE,
                                        IMPORT,
                                        new Supplier(2),
                                        chunk -> chunk.queue("imports").attempts(1)))
                .id();

        List<Enqueued> chain = headgate.enqueueAll(
                IMPORT, List.of(new Supplier(3), new Supplier(4), new Supplier(5)), (supplier, job) -> {
                    job.as("step " + supplier.id());
                    if (supplier.id() > 3) {
                        job.after("step " + (supplier.id() - 1));
                    }
                });
        // docs:end
        headgate.worker("default", "imports").slots(1).start();
        test.run();
        test.assertThat(batch).hasSucceeded();
        test.assertThat(chain.getLast().id()).hasSucceeded();
        assertThat(done).contains("1 failed").containsSubsequence("imported 3", "imported 4", "imported 5");
    }

    record Research(List<String> tasks, List<String> results, String approvedBy) {
        Research learnt(List<String> found) {
            return new Research(tasks, found, approvedBy);
        }

        Research approved(Approved by) {
            return new Research(tasks, results, by.by());
        }
    }

    record Approved(String by) {}

    @Test
    void workflows(TestHeadgate test) {
        Headgate headgate = test.headgate();
        // docs:begin queuety-workflow
        Workflow<Research, Research> research = Workflow.named("research_run", 2, Research.class)
                .queue("pipelines")
                .forEach(
                        "execute",
                        Research::tasks,
                        String.class,
                        String.class,
                        (task, step) -> "result of " + task,
                        step -> step.gate("providers").cost(5).attempts(3))
                .join(Join.quorum(2))
                .reduce(Research::learnt)
                .sleep("cool-off", ofHours(1))
                .awaitSignal("approved", Approved.class, Research::approved)
                .onCancel("clean-up", (ending, step) -> done.add("cleaned up"))
                .deadline(ofDays(7))
                .budget(b -> b.maxTransitions(20)
                        .maxFanOutItems(12)
                        .maxStateBytes(32_768)
                        .maxCostUnits(40)
                        .maxChildRuns(8))
                .build();
        headgate.workflows().register(research);
        RunId id = headgate.workflows()
                .start(
                        research,
                        new Research(List.of("prices", "rivals", "press"), List.of(), ""),
                        run -> run.key("brief:42:research").priority(2))
                .id();
        headgate.workflows().signal(id, "approved", new Approved("admin@example.com"));
        // docs:end
        headgate.worker("pipelines").start();
        test.runFor(ofHours(1));
        assertThat(headgate.workflows().status(id).state()).isEqualTo(RunState.SUCCEEDED);
        assertThat(headgate.workflows().result(id, research).approvedBy()).isEqualTo("admin@example.com");
        RunId again = headgate.workflows()
                .start(research, new Research(List.of(), List.of(), ""), run -> run.key("brief:42:research"))
                .id();
        assertThat(again).isEqualTo(id);
    }

    record Session(String message, boolean isApproved) {
        Session asked(String text) {
            return new Session(text, false);
        }
    }

    @Test
    void machines(TestHeadgate test) {
        Headgate headgate = test.headgate();
        // docs:begin queuety-machine
        Machine<Session> session = Machine.named("agent_session", 1, Session.class)
                .state(
                        "awaiting_user",
                        s -> s.on("user_message", String.class)
                                .then(Session::asked)
                                .goTo("planning"))
                .state(
                        "planning",
                        s -> s.onEntry("plan", (data, step) -> data, o -> o.gate("providers"))
                                .onDone()
                                .goTo("awaiting_review"))
                .state(
                        "awaiting_review",
                        s -> s.on("approve", Boolean.class)
                                .when((data, isApproved) -> isApproved)
                                .goTo("completed")
                                .on("reject")
                                .goTo("awaiting_user"))
                .finalState("completed")
                .initial("awaiting_user")
                .build();
        headgate.machines().register(session);
        RunId id = headgate.machines()
                .start(session, new Session("", false), run -> run.key("thread 42"))
                .id();
        headgate.machines().send(id, "user_message", "Find competitors for this product");
        headgate.machines().send(id, "approve", true);
        // docs:end
        headgate.worker("default").start();
        test.run();
        assertThat(headgate.machines().status(id).position().state()).isEqualTo("completed");
    }

    @Test
    void schedules(TestHeadgate test) {
        Headgate headgate = test.headgate();
        headgate.handle(IMPORT, (supplier, job) -> done.add("imported"));
        // docs:begin queuety-schedule
        headgate.schedules()
                .put(
                        "cleanup",
                        Schedule.every(ofHours(1)).overlap(Overlap.BUFFER),
                        IMPORT,
                        new Supplier(1),
                        job -> job.queue("maintenance"));
        headgate.schedules().put("nightly_report", Schedule.cron("0 3 * * *"), IMPORT, new Supplier(2));
        // docs:end
        headgate.worker("maintenance", "default").start();
        test.runFor(ofHours(4));
        assertThat(done).hasSize(5);
    }
}
