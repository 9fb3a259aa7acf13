package dev.headgate.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class JobTypeTest {
    private static final JobType.Defaults IGNORED = (JobType.Defaults) Proxy.newProxyInstance(
            JobType.Defaults.class.getClassLoader(),
            new Class<?>[] {JobType.Defaults.class},
            (proxy, method, given) -> null);

    private static final JobType<String> TYPE = JobType.of("ask", String.class);

    @Test
    void aWrongConstantIsToldWhereItIsWritten() {
        refuses(type -> type.gate(""), "job type 'ask': default gate: expected a name of 1 to 200 characters");
        refuses(type -> type.gate("a").gate("b\0"), "default gate (number 2): expected no control characters");
        refuses(type -> type.gate("a", -1), "default gate: expected 0 to 1000000000000 units, got -1");
        refuses(type -> type.gate("", text -> 1), "gate: expected a name");
        refuses(type -> type.queue("x".repeat(201)), "default queue: expected a name of at most 200");
        refuses(type -> type.cost(-1), "default cost: expected 0 to");
        refuses(type -> type.priority(1001), "expected -1000 to 1000");
        refuses(type -> type.attempts(0), "default attempts: expected 1 to 1000000, got 0");
        refuses(type -> type.timeout(Duration.ZERO), "default timeout: expected more than zero");
        refuses(type -> type.dedup(text -> text, Duration.ofDays(-1)), "dedup: expected more than zero");
        refuses(type -> type.dedupByContent(Duration.ZERO), "dedup: expected more than zero");
    }

    @SuppressWarnings("NullAway")
    @Test
    void nothingIsNotAConstant() {
        refuses(type -> type.gate((String) null), "default gate: expected a value, got null");
        refuses(type -> type.retry((RetryRule) null), "default retry: expected a value, got null");
        refuses(type -> type.timeout((Duration) null), "default timeout: expected a value, got null");
    }

    @Test
    void aStarInAQueueAndAGateTooManyAreToldWhereTheyAreWritten() {
        refuses(type -> type.queue("a*"), "job type 'ask': default queue: expected a name without '*', got 'a*'");
        JobType<String> full = TYPE.gate(text -> text);
        for (int i = 2; i <= Lane.GATES_MAX; i++) {
            full = full.gate("gate " + i);
        }
        JobType<String> most = full.gate("gate 2", 7);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> most.gate("one more"))
                .withMessageContaining("job type 'ask': default gate (number 18): expected at most 16 gates for a job");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> most.gate(text -> "more", text -> 1))
                .withMessageContaining("expected at most 16 gates");
    }

    @SuppressWarnings("NullAway")
    @Test
    void aTypeNeedsTheClassOfItsPayload() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JobType.of("ask", null))
                .withMessageContaining("job type 'ask': expected the class of its payload");
    }

    @Test
    void anErrorOfAFunctionIsNamedToo() {
        JobType<String> faulty = TYPE.cost(text -> {
            throw new AssertionError("never less than one");
        });
        assertThatIllegalArgumentException()
                .isThrownBy(() -> faulty.defaults("text", IGNORED))
                .withMessageContaining("job type 'ask': default cost: expected a number of units from its function")
                .withMessageContaining("never less than one");
    }

    private static void refuses(UnaryOperator<JobType<String>> change, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> change.apply(TYPE))
                .withMessageContaining(message);
    }

    @Test
    void eachMethodMakesAnotherType() {
        JobType<String> gated = TYPE.gate("a").gate(text -> text);
        assertThat(TYPE.computed()).isEmpty();
        assertThat(gated.computed()).containsExactly("gate (number 2)");
        assertThat(gated.cost(String::length).computed()).containsExactly("gate (number 2)", "cost");
        assertThat(gated.name()).isEqualTo("ask");
        assertThat(gated.payload()).isEqualTo(String.class);
    }
}
