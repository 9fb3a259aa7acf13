package dev.headgate.proof.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headgate.Headgate;
import dev.headgate.Policies;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.job.JobType;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.policy.PolicyConflictException;
import dev.headgate.policy.PolicyEdit;
import dev.headgate.proof.Rig;
import dev.headgate.proof.StoreFixture;
import dev.headgate.proof.contract.TypeDefaultsContract.Question;
import dev.headgate.run.RunId;
import dev.headgate.run.RunState;
import dev.headgate.schedule.Schedule;
import dev.headgate.testkit.stepped.SteppedHeadgate;
import dev.headgate.workflow.Workflow;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** A policy can require gates of a job type: an enqueue that forgets one is refused, by whatever way it comes. */
public interface RequiredGatesContract extends StoreFixture {
    JobType<Question> PLAIN = JobType.of("ask", Question.class);

    private static void require(Headgate headgate, String... gates) {
        headgate.policies()
                .keeping()
                .gate("provider", gate -> gate.maxInFlight(5))
                .gate("tenant:*", gate -> gate.maxInFlight(2))
                .type("ask", type -> type.requires(gates));
    }

    private static void assertRefused(ThrowingCallable call, String message) {
        assertThatIllegalArgumentException().isThrownBy(call).withMessageContaining(message);
    }

    @Test
    default void anEnqueueWithoutARequiredGateIsRefusedByEveryWay(Rig rig) {
        String told =
                "job of type 'ask': its policy requires provider, tenant:*; expected a gate for each, found none for ";
        Question question = new Question("a", 1);
        try (Headgate headgate = Headgate.open(rig.store().backend())) {
            require(headgate, "tenant:*", "provider");
            assertRefused(() -> headgate.enqueue(PLAIN, question), told + "provider, tenant:* (the job names no gate)");
            assertRefused(
                    () -> headgate.enqueue(
                            PLAIN, question, job -> job.gate("tenant:a").delay(Duration.ofDays(1))),
                    told + "provider (the job names tenant:a); name it at enqueue or in the job type");
            assertRefused(() -> headgate.enqueue(PLAIN, question, job -> job.dedupByContent()), told);
            assertRefused(
                    () -> headgate.enqueueAll(
                            PLAIN,
                            List.of(question, question, new Question("b", 2)),
                            (each, job) -> job.gate(each.tenant().equals("a") ? "tenant:a" : "provider")
                                    .gate("provider")),
                    told);
            assertRefused(() -> headgate.enqueueJson("ask", "{}", job -> job.gate("provider")), told);
            assertRefused(
                    () -> headgate.enqueue(
                            JobType.of("other", Question.class), question, job -> job.child(PLAIN, question)),
                    told);
            assertRefused(
                    () -> headgate.schedules().put("often", Schedule.every(Duration.ofSeconds(1)), PLAIN, question),
                    told);
            assertThat(headgate.list(JobFilter.all())).isEmpty();
            assertThat(headgate.schedules().list()).isEmpty();
            headgate.enqueue(TypeDefaultsContract.ASK, question);
            headgate.enqueue(PLAIN, question, job -> job.gate("provider").gate("tenant:z"));
            headgate.enqueue(JobType.of("other", Question.class), question);
            assertThat(headgate.list(JobFilter.all())).hasSize(3);
        }
    }

    @Test
    default void itHoldsForAProcessThatHasJustReadThePolicies(Rig rig) {
        Question question = new Question("a", 1);
        try (var second = reopen(rig.time());
                Headgate headgate = Headgate.open(rig.store().backend());
                Headgate other = Headgate.open(second)) {
            JobId before = headgate.enqueue(PLAIN, question).id();
            require(other, "provider");
            assertRefused(() -> headgate.enqueue(PLAIN, question), "none for provider");
            assertRefused(() -> headgate.enqueueAll(PLAIN, List.of(question, question)), "none for provider");
            other.policies().removeType("ask");
            headgate.enqueue(PLAIN, question);
            other.policies().replacing().type("ask", type -> type.requires("tenant:*"));
            assertRefused(() -> headgate.enqueue(PLAIN, question, job -> job.gate("provider")), "none for tenant:*");
            assertThat(headgate.list(JobFilter.all())).hasSize(2);
            assertThat(headgate.status(before).gates())
                    .as("what came before stays")
                    .isEmpty();
        }
    }

    @Test
    default void aScheduleOfBeforeIsRefusedWhenItIsDueAndSaysSo(Rig rig) {
        try (Headgate headgate = Headgate.open(rig.store().backend())) {
            headgate.schedules().put("often", Schedule.every(Duration.ofSeconds(1)), PLAIN, new Question("a", 1));
            require(headgate, "provider");
            rig.advance(Duration.ofSeconds(2));
            assertThat(rig.schedules().fire().troubles())
                    .singleElement()
                    .asString()
                    .contains("requires provider");
            assertThat(headgate.schedules().status("often").note()).contains("requires provider");
            assertThat(headgate.list(JobFilter.all())).isEmpty();
        }
    }

    @Test
    default void aRunIsNotStartedAndALaterStepFails(Rig rig) {
        Workflow<Question, Question> bare =
                workflow("bare").then("ask", (question, step) -> question).build();
        Workflow<Question, Question> later = workflow("later")
                .then("first", (question, step) -> question)
                .then("ask", (question, step) -> question)
                .build();
        Workflow<Question, Question> good = workflow("good")
                .then("ask", (question, step) -> question, step -> step.gate("provider"))
                .sleep("rest", Duration.ofSeconds(1))
                .build();
        Consumer<Headgate> policies = headgate -> List.of("bare@1/ask", "later@1/ask", "good@1/*")
                .forEach(type -> headgate.policies()
                        .keeping()
                        .gate("provider", gate -> gate.maxInFlight(5))
                        .type(type, each -> each.requires("provider")));
        try (SteppedHeadgate stepped = new SteppedHeadgate(rig.store().backend(), rig.time())) {
            Headgate headgate = stepped.headgate();
            headgate.workflows().register(bare).register(later).register(good);
            headgate.worker("default").start();
            policies.accept(headgate);
            Question question = new Question("a", 1);
            assertRefused(
                    () -> headgate.workflows().start(bare, question, run -> {}),
                    "job of type 'bare@1/ask': its policy requires provider");
            RunId second =
                    headgate.workflows().start(later, question, run -> {}).id();
            RunId third = headgate.workflows().start(good, question, run -> {}).id();
            stepped.runFor(Duration.ofSeconds(3));
            assertThat(headgate.workflows().status(second).state()).isEqualTo(RunState.FAILED);
            assertThat(headgate.workflows().status(second).life().detail()).contains("its policy requires provider");
            assertThat(headgate.workflows().status(third).state()).isEqualTo(RunState.SUCCEEDED);
        }
    }

    private static dev.headgate.workflow.Flow<Question, Question> workflow(String name) {
        return Workflow.named(name, 1, Question.class);
    }

    @Test
    default void aGateThatNoPolicyKnowsIsToldAtOnceAndNothingIsStored(Rig rig) {
        try (Headgate headgate = Headgate.open(rig.store().backend())) {
            Policies policies = headgate.policies();
            policies.gate("provider", gate -> gate.maxInFlight(5));
            assertRefused(
                    () -> policies.type("ask", type -> type.requires("provider", "provdier")),
                    "policy of type ask: expected gates that have limits, found no policy for 'provdier' among provider");
            assertRefused(() -> policies.type("ask", type -> type.requires("tenant:*")), "'tenant:*'");
            assertRefused(() -> policies.type("ask", type -> type.maxInFlight(3)), "limits belong to the gates");
            assertRefused(
                    () -> policies.type("ask", type -> type.requires("provider").until(Duration.ofHours(1))),
                    "to last");
            assertRefused(
                    () -> policies.gate("other", gate -> gate.requires("provider")),
                    "policy of gate other: expected 'requires provider' in the policy of a job type");
            assertRefused(() -> policies.type("ask", type -> type.requires()), "expected 1 to 16 gates, got 0");
            assertThat(policies.all()).containsOnlyKeys(GateKey.gate("provider"));
            policies.change(Map.of(
                    GateKey.gate("tenant:*"), new PolicyEdit.Replace(GatePolicy.parse("concurrency 1")),
                    GateKey.type("ask"), new PolicyEdit.Replace(GatePolicy.parse("requires tenant:acme, provider"))));
            assertThat(text(policies, "ask")).isEqualTo("requires provider, tenant:acme");
        }
    }

    @Test
    default void itHasVersionsAndIsTakenBackAsOtherPoliciesAre(Rig rig) {
        try (Headgate headgate = Headgate.open(rig.store().backend())) {
            require(headgate, "provider");
            long version = headgate.policies().version();
            headgate.policies().type("ask", type -> type.requires("provider"));
            assertThat(headgate.policies().version()).as("nothing has changed").isEqualTo(version);
            assertThatExceptionOfType(PolicyConflictException.class)
                    .isThrownBy(() -> headgate.policies().type("ask", type -> type.requires("tenant:*")));
            headgate.policies().replacing().type("ask", type -> type.requires("tenant:*"));
            headgate.policies().undo();
            assertThat(text(headgate.policies(), "ask")).isEqualTo("requires provider");
            headgate.policies().undoTo(version - 1);
            headgate.enqueue(PLAIN, new Question("a", 1));
        }
    }

    @Test
    default void theExactNameWinsOverAPatternAndNamesMayHaveAnySign(Rig rig) {
        try (Headgate headgate = Headgate.open(rig.store().backend())) {
            headgate.policies()
                    .gate("a, b;|% c", gate -> gate.maxInFlight(1))
                    .gate("d", gate -> gate.maxInFlight(1))
                    .type("*", type -> type.requires("a, b;|% c"))
                    .type("ask", type -> type.requires("d"));
            headgate.enqueue(PLAIN, new Question("a", 1), job -> job.gate("d"));
            assertRefused(() -> headgate.enqueueJson("other", "{}", job -> job.gate("d")), "none for a, b;|% c");
            headgate.enqueueJson("other", "{}", job -> job.gate("a, b;|% c"));
        }
        try (Headgate again = Headgate.open(reopen(rig.time()))) {
            assertThat(text(again.policies(), "*")).isEqualTo("requires a%2C%20b%3B%7C%25%20c");
        }
    }

    private static String text(Policies policies, String type) {
        return policies.all().getOrDefault(GateKey.type(type), GatePolicy.OPEN).text();
    }
}
