package dev.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.job.JobState;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** retry, cancel, reschedule, delete, redrive, prune, and the limits of gates and queues. */
class ChangingTest {
    @TempDir
    Path folder;

    Prompt prompt;

    @BeforeEach
    void open() {
        prompt = new Prompt(folder);
    }

    private JobState state(int id) {
        String state = prompt.must("job", Integer.toString(id), "--json")
                .json()
                .get("state")
                .asString();
        return JobState.valueOf(state.toUpperCase(Locale.ROOT));
    }

    @Test
    void cancelAndRetry() {
        prompt.must("enqueue", "noop", "--count", "2");
        assertThat(prompt.must("cancel", "1", "2").lines()).containsExactly("job 1: cancelled", "job 2: cancelled");
        assertThat(state(1)).isEqualTo(JobState.CANCELLED);
        assertThat(prompt.must("retry", "1").lines()).containsExactly("job 1: queued again");
        assertThat(state(1)).isEqualTo(JobState.QUEUED);
        assertThat(prompt.must("retry", "2", "--json").out())
                .isEqualToIgnoringNewLines("{\"answers\":[{\"id\":2,\"answer\":\"done\"}]}");
    }

    @Test
    void aJobInTheWrongStateOrNoneAtAllIsABadAnswer() {
        prompt.must("enqueue", "noop", "--count", "2");
        prompt.must("cancel", "1");
        Prompt.Answer answer = prompt.run("cancel", "1", "2", "77");
        assertThat(answer.exit()).isEqualTo(ExitCode.BAD);
        assertThat(answer.lines()).containsExactly("job 2: cancelled");
        assertThat(answer.err().lines())
                .containsExactly(
                        "headgate: job 1: expected one that is waiting or running, found it cancelled; nothing was changed",
                        "headgate: job 77: no such job, neither live nor in history; it may have been deleted, or pruned after its retention");
        Prompt.Answer json = prompt.run("retry", "77", "--json");
        assertThat(json.exit()).isEqualTo(ExitCode.BAD);
        assertThat(json.json().at("/answers/0/answer").asString()).isEqualTo("not_found");
    }

    @Test
    void rescheduleMovesAWaitingJob() {
        prompt.must("enqueue", "noop");
        assertThat(prompt.must("reschedule", "1", "1h").out()).startsWith("job 1: due at 2");
        assertThat(state(1)).isEqualTo(JobState.SCHEDULED);
        prompt.must("reschedule", "1", "now");
        assertThat(state(1)).isEqualTo(JobState.QUEUED);
        prompt.must("reschedule", "1", "2040-01-31T09:00:00Z");
        assertThat(prompt.must("job", "1", "--json").json().get("readySince").asString())
                .isEqualTo("2040-01-31T09:00:00Z");
        assertThat(prompt.run("reschedule", "7", "now").exit()).isEqualTo(ExitCode.BAD);
    }

    @Test
    void thePriorityOfAWaitingJobIsChanged() {
        prompt.must("enqueue", "noop");
        assertThat(prompt.must("priority", "1", "--to", "7").lines()).containsExactly("job 1: priority 7");
        assertThat(prompt.must("priority", "1", "--to=-7").lines()).containsExactly("job 1: priority -7");
        assertThat(prompt.must("job", "1", "--json").json().get("priority").asInt())
                .isEqualTo(-7);
        assertThat(prompt.run("priority", "1", "--to", "1001").err()).contains("priority: expected -1000 to 1000");
        assertThat(prompt.run("priority", "9", "--to", "1").exit()).isEqualTo(ExitCode.BAD);
    }

    @Test
    void deleteLeavesNoTrace() {
        prompt.must("enqueue", "noop");
        assertThat(prompt.must("delete", "1").lines()).containsExactly("job 1: deleted");
        assertThat(prompt.run("job", "1").exit()).isEqualTo(ExitCode.BAD);
    }

    @Test
    void redriveBringsFailedJobsBack() {
        prompt.must("enqueue", "fail", "--attempts", "1", "--count", "3");
        prompt.must("enqueue", "fail", "--attempts", "1", "--queue", "mail");
        prompt.must("work", "--once", "--queues", "default,mail");
        assertThat(state(1)).isEqualTo(JobState.FAILED);
        assertThat(prompt.must("redrive", "--queue", "mail").lines()).containsExactly("1 job queued again");
        assertThat(prompt.must("redrive", "--type", "nothing").lines()).containsExactly("0 jobs queued again");
        assertThat(prompt.must("redrive", "--json").out()).isEqualToIgnoringNewLines("{\"redriven\":3}");
        assertThat(state(1)).isEqualTo(JobState.QUEUED);
        prompt.must("cancel", "1");
        assertThat(prompt.must("redrive", "--cancelled").lines()).containsExactly("1 job queued again");
    }

    @Test
    void pruneDeletesWhatEnded() {
        prompt.must("enqueue", "noop", "--count", "3");
        prompt.must("cancel", "1", "2");
        assertThat(prompt.must("prune", "--older-than", "1h").lines()).containsExactly("0 ended jobs deleted");
        assertThat(prompt.must("prune", "--older-than", "0s", "--json").out())
                .isEqualToIgnoringNewLines("{\"pruned\":2}");
        assertThat(prompt.must("jobs").lines()).hasSize(2);
    }

    @Test
    void limitsAreSetReplacedAndRemoved() {
        assertThat(prompt.must("gate", "set", "api", "RATE 20/1000ms", "concurrency  3")
                        .lines())
                .containsExactly(
                        "gate api: rate 20/1s burst 1; concurrency 3",
                        "  rate 20/1s burst 1: margin auto: none, costs nothing; margin 50ms would cost at most 50.0 % of the rate");
        assertThat(prompt.must("gate", "set", "api", "concurrency 4", "--json").out())
                .isEqualToIgnoringNewLines(
                        "{\"kind\":\"gate\",\"name\":\"api\",\"limits\":[\"concurrency 4\"],\"override\":null}");
        assertThat(prompt.must("gate", "set", "b", "rate", "5/1s", "burst", "2", "concurrency", "3")
                        .lines())
                .as("without quotes")
                .containsExactly(
                        "gate b: rate 5/1s burst 2; concurrency 3",
                        "  rate 5/1s burst 2: margin auto: 100ms, costs nothing");
        prompt.must("gate", "set", "a*", "concurrency 9");
        assertThat(prompt.must("gate", "remove", "api").lines()).containsExactly("gate api: now limited by a*");
        assertThat(prompt.must("gate", "remove", "a*").lines()).containsExactly("gate a*: now without limits");
        assertThat(prompt.must("queue", "set", "mail", "concurrency 2").lines())
                .containsExactly("queue mail: concurrency 2");
        assertThat(prompt.must("queue", "remove", "mail", "--json")
                        .json()
                        .get("limits")
                        .isEmpty())
                .isTrue();
    }

    @Test
    void settingALimitSaysItsMarginAndWhatThatCosts() {
        assertThat(prompt.must("gate", "set", "api", "window 20/1s").lines().get(1))
                .matches("  window 20/1s: margin auto: \\d+ms, costs at most \\d\\.\\d % of the rate");
        assertThat(prompt.must("gate", "set", "api", "window 20/1s margin 50ms").lines())
                .containsExactly(
                        "gate api: window 20/1s margin 50ms",
                        "  window 20/1s margin 50ms: margin 50ms, costs at most 4.8 % of the rate");
        assertThat(prompt.must("gate", "set", "api", "window 20/1s margin end").lines())
                .containsExactly(
                        "gate api: window 20/1s margin end",
                        "  window 20/1s margin end: margin until the handler ends, costs more of the rate the longer handlers run");
        assertThat(prompt.must("gate", "set", "api", "window", "20/1s", "margin", "none")
                        .lines())
                .containsExactly(
                        "gate api: window 20/1s margin none", "  window 20/1s margin none: margin none, costs nothing");
        assertThat(prompt.must("queue", "set", "mail", "spaced 10/1s", "window 600/1m margin 400ms")
                        .lines())
                .containsExactly(
                        "queue mail: spaced 10/1s; window 600/1m margin 400ms",
                        "  spaced 10/1s: margin auto: none, costs nothing; margin 50ms would cost at most 33.3 % of the rate",
                        "  window 600/1m margin 400ms: margin 400ms, costs at most 0.7 % of the rate");
        assertThat(prompt.must("gate", "set", "api", "window 20/1s margin 50ms", "window 600/1m", "quota 9/day UTC")
                        .lines())
                .as("a job has one margin, the smallest")
                .contains("  window 600/1m: margin auto: 1s, cut to 50ms by another limit of the gate,"
                        + " costs at most 0.1 % of the rate")
                .contains("  quota 9/day UTC: margin auto: 1s, cut to 50ms by another limit of the gate,"
                        + " costs nothing but this: for 4s50ms around the turn of the day a start counts in both");
        assertThat(prompt.must("gate", "set", "api", "rate 20/1s burst 3 margin 200ms")
                        .lines())
                .as("a margin beyond the burst slows the rate down")
                .contains("  rate 20/1s burst 3 margin 200ms: margin 200ms, costs at most 40.0 % of the rate");
        assertThat(prompt.must("gate", "set", "api", "spaced 20/1s margin 440ms")
                        .lines())
                .as("what leaves something is taken, and its price is told")
                .contains("  spaced 20/1s margin 440ms: margin 440ms, costs at most 89.8 % of the rate");
        assertThat(prompt.must("gate", "set", "api", "concurrency 3").lines())
                .containsExactly("gate api: concurrency 3");
    }
}
