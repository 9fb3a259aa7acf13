package dev.headgate.proof.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.headgate.Enqueued;
import dev.headgate.Headgate;
import dev.headgate.handler.RetryPolicy;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.job.JobSpec;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.job.JobType;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.policy.PolicyConflictException;
import dev.headgate.proof.Rig;
import dev.headgate.proof.StoreFixture;
import dev.headgate.schedule.Schedule;
import dev.headgate.testkit.stepped.SteppedHeadgate;
import dev.headgate.workflow.Workflow;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a job type says of its jobs holds by whatever way they come in, and dedup by content. */
public interface TypeDefaultsContract extends StoreFixture {
    /** A payload with what the defaults of {@link #ASK} look at. */
    record Question(String tenant, long tokens) {}

    JobType<Question> ASK = JobType.of("ask", Question.class)
            .queue("llm")
            .gate("provider")
            .gate(question -> "tenant:" + question.tenant())
            .cost(Question::tokens);

    @Test
    default void aProgramWhoseEnqueuesNameNoGateKeepsEveryLimit(Rig rig) {
        rig.policy("gate provider", "concurrency 3; budget 100")
                .policy("gate tenant:*", "concurrency 1")
                .policy("queue llm", "concurrency 5");
        JobType<Question> other = JobType.of("other", Question.class);
        Workflow<Question, Question> flow = Workflow.named("flow", 1, Question.class)
                .then("ask", (question, step) -> question, (question, step) -> step.defaultsOf(ASK, question))
                .build();
        try (SteppedHeadgate stepped = new SteppedHeadgate(rig.store().backend(), rig.time())) {
            Headgate headgate = stepped.headgate();
            headgate.handle(ASK, (question, job) -> {}).handle(other, (question, job) -> {});
            headgate.workflows().register(flow);
            headgate.worker("llm", "default").slots(100).start();
            headgate.enqueue(ASK, new Question("a", 30));
            headgate.enqueue(ASK, new Question("a", 30), job -> job.priority(5));
            headgate.enqueueAll(ASK, List.of(new Question("b", 30), new Question("b", 1)));
            headgate.enqueue(other, new Question("c", 1), job -> job.child(ASK, new Question("c", 50)));
            headgate.schedules().put("often", Schedule.every(Duration.ofSeconds(1)), ASK, new Question("d", 1));
            headgate.workflows().start(flow, new Question("e", 1), run -> {});
            List<JobStatus> running = running(headgate, stepped);
            assertThat(running).hasSizeLessThanOrEqualTo(3).isNotEmpty();
            assertThat(running).extracting(JobStatus::queue).containsOnly("llm");
            assertThat(running).extracting(JobStatus::gates).doesNotHaveDuplicates();
            assertThat(running)
                    .allMatch(job ->
                            job.gates().contains("provider") && job.gates().size() == 2);
            assertThat(running)
                    .extracting(job -> job.spec().cost().units())
                    .satisfies(units -> assertThat(
                                    units.stream().mapToLong(each -> each).sum())
                            .isLessThanOrEqualTo(100));
            stepped.runFor(Duration.ofSeconds(3));
            List<JobStatus> all = headgate.list(JobFilter.all().limit(100));
            assertThat(all).extracting(JobStatus::state).containsOnly(JobState.SUCCEEDED);
            assertThat(all)
                    .filteredOn(job -> !job.type().equals("other"))
                    .hasSizeGreaterThan(7)
                    .allMatch(job -> job.gates().contains("provider"));
        }
    }

    private static List<JobStatus> running(Headgate headgate, SteppedHeadgate stepped) {
        stepped.claim();
        return headgate.list(JobFilter.all().state(JobState.RUNNING));
    }

    @Test
    default void whatAnEnqueueSaysItselfWinsAndItsGatesComeOnTop(Rig rig) {
        JobType<Question> type = ASK.gate("provider", 7)
                .gate("disk", Question::tokens)
                .priority(3)
                .attempts(2)
                .retry(RetryPolicy.fixed(Duration.ofSeconds(9)))
                .timeout(Duration.ofSeconds(8))
                .dedup(question -> "of " + question.tenant(), Duration.ofMinutes(1));
        try (Headgate headgate = Headgate.open(rig.store().backend())) {
            JobSpec usual = spec(headgate, headgate.enqueue(type, new Question("a", 40)));
            assertThat(usual.lane().queue()).isEqualTo("llm");
            assertThat(usual.lane().gates()).containsExactly("disk", "provider", "tenant:a");
            assertThat(usual.cost().text()).isEqualTo("40 provider=7");
            assertThat(usual.order().priority()).isEqualTo(3);
            assertThat(usual.tries().attemptsMax()).isEqualTo(2);
            assertThat(usual.tries().retry()).startsWith("fixed 9s");
            assertThat(usual.tries().timeout()).isEqualTo(Duration.ofSeconds(8));
            assertThat(usual.dedup()).isEqualTo(new JobSpec.Dedup("of a", Duration.ofMinutes(1)));
            JobSpec said = spec(
                    headgate,
                    headgate.enqueue(
                            type,
                            new Question("b", 40),
                            job -> job.queue("other")
                                    .gate("more")
                                    .gate("provider", 9)
                                    .cost(2)
                                    .priority(0)
                                    .attempts(10)
                                    .retry(RetryPolicy.none())
                                    .timeout(Duration.ofSeconds(1))
                                    .dedup("mine")));
            assertThat(said.lane().queue()).isEqualTo("other");
            assertThat(said.lane().gates()).containsExactly("disk", "more", "provider", "tenant:b");
            assertThat(said.cost().text()).isEqualTo("2 disk=40 provider=9");
            assertThat(said.order().priority()).isZero();
            assertThat(said.tries().attemptsMax()).isEqualTo(10);
            assertThat(said.tries().retry()).isEqualTo("none");
            assertThat(said.dedup()).isEqualTo(new JobSpec.Dedup("mine", null));
        }
    }

    private static JobSpec spec(Headgate headgate, Enqueued job) {
        return headgate.status(job.id()).spec();
    }

    @SuppressWarnings("NullAway") // users without it return null
    @Test
    default void aFunctionThatFailsIsNamedAndNothingIsStored(Rig rig) {
        JobType<Question> faulty = ASK.gate(question -> question.tokens() > 1 ? question.tenant() : "fine");
        List<Question> questions = List.of(new Question("a", 1), new Question("b\0", 2));
        try (Headgate headgate = Headgate.open(rig.store().backend())) {
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> headgate.enqueueAll(ASK.gate(Question::tenant), questions))
                    .withMessageContaining("job type 'ask': default gate (number 2): expected no control characters");
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> headgate.enqueue(faulty, new Question(null, 2)))
                    .withMessageContaining(
                            "job type 'ask': default gate (number 3): expected a name from its function, got null");
            assertThat(headgate.list(JobFilter.all())).isEmpty();
        }
    }

    @Test
    default void dedupByContentKnowsWhatMeansTheSame(Rig rig) {
        JobType<Question> once = ASK.dedupByContent();
        try (Headgate headgate = Headgate.open(rig.store().backend())) {
            Enqueued first = headgate.enqueue(once, new Question("a", 100));
            assertThat(headgate.enqueue(once, new Question("a", 100))).isEqualTo(new Enqueued(first.id(), false));
            assertThat(headgate.enqueueJson(
                            "ask", "{ \"tokens\": 1.00e2, \"tenant\": \"\\u0061\" }", job -> job.dedupByContent()))
                    .isEqualTo(new Enqueued(first.id(), false));
            assertThat(headgate.enqueueJson("tell", "{\"tenant\":\"a\",\"tokens\":100}", job -> job.dedupByContent())
                            .isNew())
                    .isTrue();
            assertThat(headgate.enqueue(once, new Question("a", 101)).isNew()).isTrue();
            assertThat(headgate.enqueueAll(once, List.of(new Question("z", 1), new Question("z", 1))))
                    .extracting(Enqueued::isNew)
                    .containsExactly(true, false);
            headgate.cancel(first.id());
            assertThat(headgate.enqueue(once, new Question("a", 100)).isNew()).isTrue();
        }
    }

    @Test
    default void contentIsFreeAgainAfterItsTime(Rig rig) {
        JobType<Question> once = ASK.dedupByContent(Duration.ofMinutes(1));
        try (Headgate headgate = Headgate.open(rig.store().backend())) {
            JobId first = headgate.enqueue(once, new Question("a", 1)).id();
            assertThat(headgate.enqueue(once, new Question("a", 1)).id()).isEqualTo(first);
            rig.advance(Duration.ofMinutes(1));
            assertThat(headgate.enqueue(once, new Question("a", 1)).isNew()).isTrue();
        }
    }

    @Test
    default void anEditedScheduleMakesItsContentKeyAnew(Rig rig) {
        try (Headgate headgate = Headgate.open(rig.store().backend())) {
            Schedule often = Schedule.every(Duration.ofSeconds(1));
            headgate.schedules().put("often", often, ASK.dedupByContent(), new Question("a", 1));
            headgate.schedules().edit("often", edit -> edit.payload(new Question("b", 1)));
            String key =
                    headgate.schedules().status("often").terms().job().dedup().key();
            JobId same =
                    headgate.enqueue(ASK.dedupByContent(), new Question("b", 1)).id();
            assertThat(headgate.status(same).spec().dedup().key()).isEqualTo(key);
        }
    }

    @Test
    default void constantsAreStoredForProgramsWithoutTheClass(Rig rig) {
        JobType<Question> full = ASK.gate("disk", 7)
                .priority(3)
                .attempts(2)
                .retry(RetryPolicy.fixed(Duration.ofSeconds(9)))
                .timeout(Duration.ofSeconds(8))
                .dedupByContent(Duration.ofMinutes(1));
        try (SteppedHeadgate stepped = new SteppedHeadgate(rig.store().backend(), rig.time());
                var second = reopen(rig.time());
                Headgate other = Headgate.open(second)) {
            Headgate headgate = stepped.headgate();
            headgate.handle(full, (question, job) -> {}).worker("llm").start();
            String stored = "defaults gate=disk gate=provider units=disk=7 queue=llm priority=3 attempts=2"
                    + " retry=fixed%209s%20max%201d timeout=8s dedup=1m";
            assertThat(text(other)).isEqualTo(stored);
            JobSpec spec = spec(
                    other,
                    other.enqueueJson("ask", "{}", job -> job.gate("mine").priority(4)));
            assertThat(spec.lane().queue()).isEqualTo("llm");
            assertThat(spec.lane().gates()).containsExactly("disk", "mine", "provider");
            assertThat(spec.cost().text()).isEqualTo("1 disk=7");
            assertThat(spec.order().priority()).isEqualTo(4);
            assertThat(spec.tries().attemptsMax()).isEqualTo(2);
            assertThat(spec.tries().retry()).startsWith("fixed 9s");
            assertThat(spec.tries().timeout()).isEqualTo(Duration.ofSeconds(8));
            assertThat(spec.dedup().lasts()).isEqualTo(Duration.ofMinutes(1));
            assertThat(other.enqueueJson("ask", "{}", job -> {}).isNew())
                    .as("by content")
                    .isFalse();
            JobType<Question> bare = JobType.of("ask", Question.class);
            assertThat(spec(other, other.enqueue(bare.gate("disk", 9), new Question("a", 1)))
                            .cost()
                            .text())
                    .as("its own units")
                    .isEqualTo("1 disk=9");
            other.schedules().put("often", Schedule.every(Duration.ofSeconds(1)), bare, new Question("b", 1));
            assertThat(other.schedules().status("often").terms().job().lane().gates())
                    .contains("provider");
        }
    }

    @Test
    default void aRollingDeployWithAChangedDefaultDoesNotFail(Rig rig) {
        JobType<Question> bare = JobType.of("ask", Question.class);
        try (Headgate before = Headgate.open(rig.store().backend());
                var second = reopen(rig.time());
                Headgate after = Headgate.open(second)) {
            before.policies().gate("provider", gate -> gate.maxInFlight(1)).register(bare.queue("old"));
            before.policies().type("ask", type -> type.requires("provider"));
            assertThatExceptionOfType(PolicyConflictException.class)
                    .isThrownBy(() -> after.policies().register(bare.queue("new")));
            after.policies().keeping().register(bare.queue("new"));
            assertThat(text(after)).isEqualTo("requires provider; defaults queue=old");
            after.policies().replacing().register(bare.queue("new"));
            assertThat(text(after)).isEqualTo("requires provider; defaults queue=new");
            before.policies().replacing().type("ask", type -> type.requires("provider"));
            assertThat(text(after)).isEqualTo("requires provider; defaults queue=new");
            before.policies().undo();
            assertThat(text(after)).isEqualTo("requires provider; defaults queue=old");
        }
    }

    @Test
    default void aWorkerThatStartsUndoesNothingThatWasSetByHand(Rig rig) {
        JobType<Question> bare = JobType.of("ask", Question.class);
        try (Headgate headgate = Headgate.open(rig.store().backend())) {
            headgate.policies()
                    .gate("provider", gate -> gate.maxInFlight(1))
                    .gate("tenant:*", gate -> gate.maxInFlight(1));
            var ada = headgate.policies().by("ada").because("by hand").replacing();
            assertThat(afterStart(rig, bare.cost(2))).isEqualTo("defaults cost=2");
            assertThat(afterStart(rig, bare.cost(3))).as("a rolling deploy").isEqualTo("defaults cost=3");
            ada.type("ask", type -> type.requires("provider"));
            assertThat(afterStart(rig, bare.cost(4))).isEqualTo("requires provider; defaults cost=4");
            ada.type("ask", type -> type.limits("defaults gate=provider cost=9"));
            ada.type("ask", type -> type.requires("provider", "tenant:*").limits("defaults gate=provider cost=9"));
            assertThat(afterStart(rig, bare.cost(5)))
                    .isEqualTo("requires provider, tenant:*; defaults gate=provider cost=9");
            ada.removeType("ask");
            assertThat(afterStart(rig, bare.cost(6))).as("removed by hand").isEmpty();
            headgate.policies().register(bare.cost(7));
            assertThat(afterStart(rig, bare.cost(8))).as("registered").isEqualTo("defaults cost=7");
        }
    }

    /** What is stored once a worker with a handler of this type has started. */
    private static String afterStart(Rig rig, JobType<Question> type) {
        try (SteppedHeadgate stepped = new SteppedHeadgate(rig.store().backend(), rig.time())) {
            stepped.headgate().handle(type, (question, job) -> {}).worker("q").start();
            return text(stepped.headgate());
        }
    }

    @Test
    default void whatIsStoredOfATypeAppliesAtEachInstantOfASchedule(Rig rig) {
        JobType<Question> bare = JobType.of("ask", Question.class);
        Schedule often = Schedule.every(Duration.ofSeconds(1));
        Question same = new Question("a", 1);
        try (SteppedHeadgate stepped = new SteppedHeadgate(rig.store().backend(), rig.time())) {
            Headgate headgate = stepped.headgate();
            headgate.handle(bare, (question, job) -> {});
            headgate.worker("default", "llm", "own").start();
            headgate.schedules().put("bare", often, bare, same);
            headgate.schedules()
                    .put(
                            "said",
                            often,
                            bare,
                            same,
                            job -> job.queue("own").cost(3).gate("mine"));
            stepped.runFor(Duration.ofSeconds(1));
            assertThat(specs(headgate)).containsOnly("default [] 1 10", "own [mine] 3 10");
            headgate.policies()
                    .register(bare.queue("llm").gate("provider", 7).cost(5).attempts(2));
            stepped.runFor(Duration.ofSeconds(1));
            assertThat(specs(headgate))
                    .contains("llm [provider] 5 provider=7 2", "own [mine, provider] 3 provider=7 2");
            headgate.policies().replacing().register(bare.gate("other"));
            stepped.runFor(Duration.ofSeconds(1));
            assertThat(specs(headgate)).contains("default [other] 1 10", "own [mine, other] 3 10");
            assertThat(headgate.schedules().put("bare", often, bare, same)).isEqualTo(Schedule.PutResult.UNCHANGED);
            assertThat(headgate.schedules().status("bare").terms().job().lane().gates())
                    .containsExactly("other");
        }
    }

    private static List<String> specs(Headgate headgate) {
        return headgate.list(JobFilter.all().limit(100)).stream()
                .map(JobStatus::spec)
                .map(spec -> "%s %s %s %d"
                        .formatted(
                                spec.lane().queue(),
                                spec.lane().gates(),
                                spec.cost().text(),
                                spec.tries().attemptsMax()))
                .toList();
    }

    @Test
    default void wrongDefaultsAreRefusedAtOnce(Rig rig) {
        Map<String, String> expected = Map.ofEntries(
                Map.entry("queue=many*", "queue: expected a name without '*'"),
                Map.entry("gate=a\u0001", "expected no control characters"),
                Map.entry("gate=b units=a=1", "expected units at gates that are named, got 'a' among b"),
                Map.entry("gate=a units=a=1 units=a=2", "at 'units=a=2': expected each of gate"),
                Map.entry("gate=a units=a=-1", "expected 0 to 1000000000000 units, got -1"),
                Map.entry("cost=1000000000001", "expected 0 to 1000000000000 units"),
                Map.entry("cost=5.5", "expected a whole number, got '5.5'"),
                Map.entry("priority=1001", "priority: expected -1000 to 1000"),
                Map.entry("priority=high", "expected a whole number, got 'high'"),
                Map.entry("attempts=0", "attempts: expected 1 to 1000000, got 0"),
                Map.entry("attempts=1000001", "attempts: expected 1 to 1000000, got 1000001"),
                Map.entry("retry=often", "retry policy 'often': "),
                Map.entry("retry=fixed%20-5s", "duration: expected a form such as"),
                Map.entry("retry=fixed%201s%20max%20400d", "expected a max from 0 to 366d"),
                Map.entry("timeout=0s", "timeout: expected more than zero, at most 3660 days"),
                Map.entry("timeout=3661d", "timeout: expected more than zero, at most 3660 days"),
                Map.entry("dedup=0s", "dedup: expected more than zero, at most 3660 days"),
                Map.entry("dedup=mine", "at 'dedup=mine': "));
        try (Headgate headgate = Headgate.open(rig.store().backend())) {
            expected.forEach((wrong, message) -> assertThatExceptionOfType(IllegalArgumentException.class)
                    .as(wrong)
                    .isThrownBy(() -> headgate.policies().type("ask", type -> type.limits("defaults " + wrong)))
                    .withMessageContaining(message));
            assertThat(headgate.policies().version()).isZero();
        }
    }

    /** The options of a step stand in its workflow, whose code makes its job; what the engine itself makes must pass no gate at all. */
    @Test
    default void stepsOfRunsTakeTheirOptionsFromTheirWorkflowAlone(Rig rig) {
        Workflow<Question, Question> flow = Workflow.named("flow", 1, Question.class)
                .then("ask", (question, step) -> question, step -> step.gate("own"))
                .sleep("rest", Duration.ofSeconds(1))
                .then("tell", (question, step) -> question)
                .build();
        try (SteppedHeadgate stepped = new SteppedHeadgate(rig.store().backend(), rig.time())) {
            Headgate headgate = stepped.headgate();
            headgate.workflows().register(flow);
            headgate.policies().type("*", type -> type.limits("defaults queue=llm gate=provider cost=7"));
            headgate.worker("default").start();
            headgate.workflows().start(flow, new Question("a", 1), run -> {});
            stepped.runFor(Duration.ofSeconds(3));
            List<JobStatus> jobs = headgate.list(JobFilter.all());
            assertThat(jobs).hasSizeGreaterThan(2).extracting(JobStatus::state).containsOnly(JobState.SUCCEEDED);
            assertThat(jobs).extracting(JobStatus::queue).containsOnly("default");
            assertThat(jobs).flatExtracting(JobStatus::gates).containsExactly("own");
            JobSpec other = spec(headgate, headgate.enqueueJson("any", "{}", job -> {}));
            assertThat(other.lane().gates()).containsExactly("provider");
        }
    }

    @Test
    default void aRetryRuleThatNoWorkerCanReadIsNotStored(Rig rig) {
        try (Headgate headgate = Headgate.open(rig.store().backend())) {
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> headgate.policies().register(ASK.retry(() -> "whenever")))
                    .withMessageContainingAll("type ask", "retry policy 'whenever'", "expected a form such as");
            assertThat(headgate.policies().version()).isZero();
        }
    }

    private static String text(Headgate headgate) {
        return headgate.policies()
                .all()
                .getOrDefault(GateKey.type("ask"), GatePolicy.OPEN)
                .text();
    }
}
