package dev.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Gates whose own policy opens them, and gates that have no policy at all. */
class OwnPolicyTest {
    @TempDir
    Path folder;

    private Prompt prompt;

    @BeforeEach
    void open() {
        prompt = new Prompt(folder);
    }

    @Test
    void aPolicyThatTakesTheLimitsOfAPatternOffIsTold() {
        prompt.must("gate", "set", "tenant:*", "concurrency 2");
        String told =
                "gate tenant:1: its own policy replaces that of 'tenant:*', so concurrency 2 does not hold for it; "
                        + "to keep it: gate set tenant:1 \"concurrency 2; weight 3\"";
        assertThat(prompt.must("gate", "set", "tenant:1", "weight 3").err()).contains(told);
        assertThat(prompt.must("policy", "set", "gate", "tenant:1", "weight 3").err())
                .contains(told);
        assertThat(prompt.must("doctor").out()).contains(told);
        assertThat(prompt.must("gate", "set", "tenant:1", "concurrency 2; weight 3")
                        .err())
                .doesNotContain("does not hold");
        assertThat(prompt.must("gate", "set", "tenant:2", "concurrency 9").err())
                .doesNotContain("does not hold");
        assertThat(prompt.must("gate", "set", "other", "weight 3").err()).doesNotContain("does not hold");
        assertThat(prompt.must("doctor").out()).doesNotContain("does not hold");
    }

    @Test
    void aGateWithoutAPolicyIsShownIfJobsNameIt() {
        prompt.must("enqueue", "noop", "--gate", "lonely", "--queue", "nobody");
        assertThat(prompt.must("gate", "show", "lonely").out())
                .contains("gate lonely", "no policy covers it, so it lets everything pass", "jobs --gate lonely");
        assertThat(prompt.must("gates").out()).contains("without limits, named by waiting jobs: lonely");
        assertThat(prompt.must("gates", "--json").json().at("/withoutLimits/0").asString())
                .isEqualTo("lonely");
        assertThat(prompt.run("gate", "show", "lonly").err()).contains("gate 'lonly': no job or policy");
    }

    @Test
    void whatTheColumnCallsWaitingCanBeAskedFor() {
        prompt.must("enqueue", "noop");
        assertThat(prompt.must("jobs", "--state", "waiting").out()).contains("noop");
    }

    @Test
    void jobsThatAreKeptOutByTheirContentAreTold() {
        Prompt.Answer answer = prompt.must("enqueue", "noop", "--count", "3", "--dedup-content");
        assertThat(answer.lines()).containsExactly("1", "1", "1");
        assertThat(answer.err()).contains("2 of 3 jobs not added, because a live job carries the same dedup key");
    }
}
