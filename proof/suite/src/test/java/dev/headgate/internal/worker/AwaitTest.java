package dev.headgate.internal.worker;

import static dev.headgate.internal.worker.Plant.WORK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headgate.UnknownJobException;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Waiting for results. */
class AwaitTest {
    private final Plant plant = new Plant();

    @AfterEach
    void close() {
        plant.close();
    }

    @Test
    void aWaitThatIsTooShortAnswersNothing() throws Exception {
        JobId id = plant.enqueue();
        assertThat(plant.headgate.await(id, Duration.ofMillis(30))).isEmpty();
        assertThat(plant.headgate.await(id, Duration.ZERO)).isEmpty();
    }

    @Test
    void anEndInAnotherProcessIsSeen() throws Exception {
        JobId id = plant.enqueue();
        try (Plant other = plant.reopen()) {
            other.headgate.handleWithResult(WORK, (order, job) -> "from afar");
            other.work();
            assertThat(plant.ended(id).state()).isEqualTo(JobState.SUCCEEDED);
            assertThat(plant.headgate.result(id, String.class)).contains("from afar");
        }
    }

    @Test
    void aJobThatDoesNotExistIsNotWaitedFor() {
        JobId unknown = JobId.of(4711);
        assertThatThrownBy(() -> plant.headgate.await(unknown, Duration.ofSeconds(1)))
                .isInstanceOf(UnknownJobException.class)
                .hasMessageContaining("4711");
        assertThatThrownBy(() -> plant.headgate.explain(unknown)).isInstanceOf(UnknownJobException.class);
        assertThatThrownBy(() -> plant.headgate.result(unknown, String.class)).isInstanceOf(UnknownJobException.class);
    }

    @Test
    void aResultBeforeTheEndIsRefused() {
        JobId id = plant.enqueue();
        assertThatThrownBy(() -> plant.headgate.result(id, String.class))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("it is QUEUED");
    }
}
