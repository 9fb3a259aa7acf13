package dev.headgate.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headgate.run.RunId;
import org.junit.jupiter.api.Test;

class StepTest {
    private final Step step = new Step("report", RunId.of(1), null);

    @Test
    void anArtifactMayBeAMebibyteAndNotAByteMore() {
        step.artifact("a", "x".repeat(Step.ARTIFACT_BYTES_MAX));
        assertThat(step.artifacts()).hasSize(1);
        assertThatThrownBy(() -> step.artifact("a", "x".repeat(Step.ARTIFACT_BYTES_MAX - 1) + "é"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("artifact 'a' of step 'report': expected at most 1048576 bytes, got 1048577;"
                        + " keep it elsewhere and store where it is");
        assertThat(step.artifacts().get("a")).as("the one before stays").doesNotContain("é");
    }

    @Test
    void aStepMayKeepAHundredAndReplaceAnyOfThem() {
        for (int i = 1; i <= Step.ARTIFACTS_MAX; i++) {
            step.artifact("a" + i, "first");
        }
        assertThatThrownBy(() -> step.artifact("one more", "first"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("artifact 'one more' of step 'report': expected at most 100 artifacts");
        step.artifact("a7", "second");
        assertThat(step.artifacts()).hasSize(Step.ARTIFACTS_MAX).containsEntry("a7", "second");
    }
}
