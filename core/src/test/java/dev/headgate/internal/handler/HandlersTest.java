package dev.headgate.internal.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headgate.handler.HandlerOptions;
import dev.headgate.handler.RetryLater;
import dev.headgate.job.JobType;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class HandlersTest {
    private static Handler<String> handler(String name) {
        return new Handler<>(JobType.of(name, String.class), (payload, job) -> payload, HandlerOptions.DEFAULT);
    }

    @Test
    void aTypeHasOneHandler() {
        Handlers handlers = new Handlers();
        handlers.add(handler("work"));
        assertThatThrownBy(() -> handlers.add(handler("work")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("handler of 'work'");
        assertThat(handlers.types()).containsExactly("work");
    }

    @Test
    void optionsOutOfRangeAreRefused() {
        assertThatThrownBy(() -> HandlerOptions.DEFAULT.attempts(0)).hasMessageContaining("attempts: expected");
        assertThatThrownBy(() -> HandlerOptions.DEFAULT.timeout(Duration.ZERO))
                .hasMessageContaining("timeout: expected");
        assertThatThrownBy(() -> RetryLater.at(Instant.MAX)).hasMessageContaining("retry: expected");
        assertThatThrownBy(() -> RetryLater.after(Duration.ofSeconds(-1))).hasMessageContaining("retry: expected");
    }
}
