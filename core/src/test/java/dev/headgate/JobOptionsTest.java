package dev.headgate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headgate.handler.RetryPolicy;
import dev.headgate.internal.json.JsonCodec;
import dev.headgate.job.Cost;
import dev.headgate.job.JobSpec;
import dev.headgate.job.JobType;
import dev.headgate.spi.NewJob;
import dev.headgate.spi.NewJob.Due;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class JobOptionsTest {
    @Test
    void aJobThatSaysNothingIsPlain() {
        NewJob job = new JobOptions().job("work", "{}");
        assertThat(job.due()).isEqualTo(Due.NOW);
        JobSpec spec = job.spec();
        assertThat(spec.lane().queue()).isEqualTo("default");
        assertThat(spec.lane().isPlain()).isTrue();
        assertThat(spec.cost()).isEqualTo(Cost.ONE);
        assertThat(spec.tries().attemptsMax()).isEqualTo(10);
        assertThat(spec.tries().retry()).isNull();
    }

    @Test
    void everythingSaidIsOnTheJob() {
        Instant deadline = Instant.parse("2026-01-01T00:00:00Z");
        NewJob job = new JobOptions()
                .queue("mail")
                .gate("b")
                .gates(List.of("a", "b"))
                .cost(5)
                .delay(Duration.ofSeconds(3))
                .priority(7)
                .front()
                .keepPlace()
                .dedup("key", Duration.ofMinutes(1))
                .timeout(Duration.ofSeconds(9))
                .deadline(deadline)
                .attempts(4)
                .retry(RetryPolicy.fixed(Duration.ofSeconds(2)))
                .job("work", "{}");
        assertThat(job.due()).isEqualTo(new Due.After(Duration.ofSeconds(3)));
        assertThat(job.spec().lane().gates()).containsExactly("a", "b");
        assertThat(job.spec().order().isFront()).isTrue();
        assertThat(job.spec().order().keepsPlace()).isTrue();
        assertThat(job.spec().dedup().key()).isEqualTo("key");
        assertThat(job.spec().dedup().lasts()).isEqualTo(Duration.ofMinutes(1));
        assertThat(job.spec().tries().timeout()).isEqualTo(Duration.ofSeconds(9));
        assertThat(job.spec().tries().deadline()).isEqualTo(deadline);
        assertThat(job.spec().tries().attemptsMax()).isEqualTo(4);
        assertThat(RetryPolicy.parse(String.valueOf(job.spec().tries().retry())))
                .isEqualTo(RetryPolicy.fixed(Duration.ofSeconds(2)));
    }

    @Test
    void aGateThatIsNamedTwiceHasOneNumberOfUnits() {
        JobOptions twice = new JobOptions().gate("g", 3).gate("g", 4);
        assertThatThrownBy(() -> twice.job("work", "{}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("gate 'g': expected one number of units, got 3 and 4; say their sum once");
        NewJob same = new JobOptions().gate("g", 3).gate("g").gate("g", 3).job("work", "{}");
        assertThat(same.spec().cost().at("g")).isEqualTo(3);
    }

    @Test
    void aDefaultThatFailsIsToldBeforeAnythingElseAndTheRestOfTheTypeHolds() {
        JobType<String> type = JobType.of("ask", String.class).queue("llm").gate("provider", 3);
        JobRequest job = JobRequest.of(
                RequestContext.without(new JsonCodec()), type.cost(String::length), "four", options -> {});
        assertThat(job.job().spec().lane().queue()).isEqualTo("llm");
        assertThat(job.job().spec().cost().text()).isEqualTo("4 provider=3");
        assertRefused(
                type.cost(text -> text.charAt(9)),
                "job type 'ask': default cost: expected a number of units from its function, got"
                        + " java.lang.StringIndexOutOfBoundsException");
        assertRefused(type.cost(text -> -1), "job type 'ask': default cost: expected 0 to");
        assertThat(JobRequest.of(
                                RequestContext.without(new JsonCodec()),
                                type.gate("provider", 4),
                                "four",
                                options -> {})
                        .job()
                        .spec()
                        .cost()
                        .at("provider"))
                .as("what is said last")
                .isEqualTo(4);
        assertRefused(
                type.gate(text -> ""),
                "job type 'ask': default gate (number 2): expected a name of 1 to 200 characters");
        assertRefused(
                type.gate(text -> null, text -> 1),
                "job type 'ask': default gate (number 2): expected a value, got null");
    }

    private static void assertRefused(JobType<String> type, String message) {
        assertThatThrownBy(() -> JobRequest.of(RequestContext.without(new JsonCodec()), type, "four", options -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void allUnitsOfTheEnqueueTakeThePlaceOfTheTypes() {
        JobType<String> type = JobType.of("ask", String.class).gate("provider", 3);
        JobRequest job = JobRequest.of(
                RequestContext.without(new JsonCodec()), type, "four", options -> options.cost(Cost.parse("5 gpu=2")));
        assertThat(job.job().spec().cost().text()).isEqualTo("5 gpu=2");
        assertThat(job.job().spec().lane().gates()).containsExactly("provider");
    }

    @Test
    void allFaultsAreReportedAtOnce() {
        JobOptions options = new JobOptions()
                .queue("")
                .gates(IntStream.range(0, 17).mapToObj(i -> "g" + i).toList())
                .gate("bad\0gate")
                .cost(-1)
                .priority(1001)
                .attempts(0)
                .delay(Duration.ofSeconds(-1))
                .at(Instant.MAX)
                .deadline(Instant.MIN)
                .timeout(Duration.ZERO)
                .dedup("x".repeat(201), Duration.ZERO);
        assertThatThrownBy(() -> options.job("work", "{}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("job of type 'work': ")
                .hasMessageContainingAll(
                        "queue: ",
                        "gate: ",
                        "gates: expected at most 16, got 18",
                        "cost: expected 0",
                        "priority: ",
                        "attempts: expected 1",
                        "got both",
                        "at: expected an instant",
                        "deadline: expected an instant",
                        "delay: expected zero",
                        "timeout: expected more than zero",
                        "dedup: expected a name",
                        "dedup: expected more than zero");
    }
}
