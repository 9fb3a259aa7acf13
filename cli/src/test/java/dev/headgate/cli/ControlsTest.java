package dev.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** pause, resume, gate hold and gate clear. */
class ControlsTest {
    @TempDir
    Path folder;

    Prompt prompt;

    @BeforeEach
    void open() {
        prompt = new Prompt(folder);
    }

    @Test
    void aPauseIsShownWithItsReasonAndEnds() {
        prompt.must("enqueue", "noop", "--queue", "mail");
        assertThat(prompt.must("pause", "queue", "mail", "--because", "provider is down")
                        .lines())
                .containsExactly("queue mail: paused; what runs goes on");
        assertThat(prompt.must("pause").out()).contains("queue mail").contains("provider is down");
        assertThat(prompt.must("pause", "--json").json().at("/paused/0/name").asString())
                .isEqualTo("mail");
        assertThat(prompt.must("explain", "1").out()).contains("queue mail is paused");
        assertThat(prompt.must("resume", "queue", "mail").lines()).containsExactly("queue mail: resumed");
        assertThat(prompt.must("pause").lines()).containsExactly("nothing is paused");
    }

    @Test
    void whatIsNotPausedCannotBeResumed() {
        prompt.must("enqueue", "noop");
        Prompt.Answer answer = prompt.run("resume", "type", "noop");
        assertThat(answer.exit()).isEqualTo(ExitCode.BAD);
        assertThat(answer.err()).contains("type noop: is not paused; 'headgate pause' lists what is");
        assertThat(prompt.run("pause", "quue", "mail").err()).contains("expected queue, gate or type, got 'quue'");
        assertThat(prompt.run("pause", "queue").err()).contains("pause queue: expected a name");
    }

    @Test
    void aGateIsHeldForATimeAndCleared() {
        prompt.must("enqueue", "noop", "--gate", "api");
        assertThat(prompt.must("gate", "hold", "api", "10m", "--because", "maintenance")
                        .lines())
                .containsExactly("gate api: shut for 10m");
        assertThat(prompt.must("gate", "hold", "api", "1m").lines())
                .containsExactly("gate api: is shut for longer already");
        assertThat(prompt.must("explain", "1").out()).contains("maintenance");
        assertThat(prompt.must("gates").out()).contains("maintenance");
        assertThat(prompt.must("gate", "clear", "api").lines()).containsExactly("gate api: cleared");
        assertThat(prompt.must("explain", "1").out()).doesNotContain("maintenance");
        assertThat(prompt.run("gate", "hold", "api", "0s").err()).contains("expected more than zero");
        assertThat(prompt.must("gate", "hold", "api", "1s").err()).isEmpty();
        assertThat(prompt.must("gate", "hold", "apii", "1s").err())
                .contains(
                        "gate 'apii': no policy of this store covers it, and no job has come to it yet; did you mean 'api'?");
    }

    @Test
    void aQueueIsHeldReleasedAndCleared() {
        prompt.must("enqueue", "noop", "--queue", "mail");
        assertThat(prompt.must("queue", "hold", "mail", "10m", "--because", "maintenance")
                        .lines())
                .containsExactly("queue mail: shut for 10m");
        assertThat(prompt.must("explain", "1").out()).contains("queue mail", "maintenance");
        assertThat(prompt.must("queues").out()).contains("maintenance");
        assertThat(prompt.must("queue", "release", "mail").lines()).containsExactly("queue mail: released");
        assertThat(prompt.must("queue", "release", "mail").lines()).containsExactly("queue mail: was not held");
        assertThat(prompt.must("explain", "1").out()).doesNotContain("maintenance");
    }

    @Test
    void aHoldEndsAtAnInstantAndAReleaseKeepsWhatWasSpent() {
        prompt.must("gate", "set", "api", "window 2/1h");
        String soon = Instant.now().plusSeconds(3_600).truncatedTo(ChronoUnit.SECONDS) + "";
        assertThat(prompt.must("gate", "hold", "api", soon).lines()).containsExactly("gate api: shut until " + soon);
        assertThat(prompt.run("gate", "hold", "api", "2020-01-31T09:00:00Z").err())
                .contains("expected an end in the future, got 2020-01-31T09:00:00Z");
        assertThat(prompt.run("gate", "hold", "api", "2999-01-31T09:00:00Z").err())
                .contains("at most 366 days");
        assertThat(prompt.must("gate", "release", "api", "--json").out()).contains("\"released\":true");
    }

    @Test
    void aHoldOfAGateSaysIfAQueueHasThatName() {
        prompt.must("enqueue", "noop", "--queue", "openai");
        assertThat(prompt.must("gate", "hold", "openai", "1m").err())
                .contains("a queue has that name: headgate queue hold openai");
    }

    @Test
    void whatNothingNamesIsNotClearedAndStaysUnknown() {
        prompt.must("gate", "set", "api", "window 2/1h");
        prompt.must("enqueue", "noop", "--queue", "mail", "--gate", "api");
        Prompt.Answer gate = prompt.run("gate", "clear", "ap");
        assertThat(gate.exit()).isEqualTo(ExitCode.BAD);
        assertThat(gate.out()).isEmpty();
        assertThat(gate.err())
                .contains(
                        "gate 'ap': no policy of this store covers it, and no job has come to it yet; did you mean 'api'?");
        Prompt.Answer queue = prompt.run("queue", "clear", "mial", "--json");
        assertThat(queue.exit()).isEqualTo(ExitCode.BAD);
        assertThat(queue.err())
                .contains("queue 'mial': no job, policy or worker of this store names it yet; did you mean 'mail'?");
        assertThat(prompt.run("gate", "show", "ap").exit()).isEqualTo(ExitCode.BAD);
        assertThat(prompt.must("pause", "gate", "ap").err()).contains("did you mean 'api'?");
        assertThat(prompt.must("gate", "hold", "ap", "1m").err()).contains("did you mean 'api'?");
        assertThat(prompt.must("gate", "clear", "ap").lines()).containsExactly("gate ap: cleared");
    }

    @Test
    void whatIsKnownAndWasNeverUsedHasNothingToForget() {
        prompt.must("gate", "set", "tenant:*", "window 2/1h");
        prompt.must("enqueue", "noop", "--queue", "mail");
        assertThat(prompt.must("gate", "clear", "tenant:a").lines())
                .containsExactly("gate tenant:a: nothing to forget, nothing was spent yet");
        assertThat(prompt.must("queue", "clear", "mail", "--json")
                        .json()
                        .get("cleared")
                        .asBoolean())
                .isFalse();
    }

    @Test
    void aMistypedReleaseSaysWhatMayHaveBeenMeant() {
        prompt.must("enqueue", "noop", "--gate", "api");
        prompt.must("gate", "set", "api", "window 2/1h");
        Prompt.Answer gate = prompt.must("gate", "release", "ap");
        assertThat(gate.lines()).containsExactly("gate ap: was not held");
        assertThat(gate.err()).contains("did you mean 'api'?");
        assertThat(prompt.must("queue", "release", "defualt").err()).contains("did you mean 'default'?");
        assertThat(prompt.must("gate", "release", "api").err()).isEmpty();
        assertThat(prompt.run("gate", "show", "ap").exit()).isEqualTo(ExitCode.BAD);
    }
}
