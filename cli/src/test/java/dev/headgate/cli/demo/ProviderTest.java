package dev.headgate.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The provider is strict by itself: without a limiter in front of it, it refuses. */
class ProviderTest {
    @Test
    void refusesWhatIsTooMuch() throws Exception {
        try (Provider provider = new Provider();
                HttpClient client = HttpClient.newHttpClient();
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<Integer>> calls = IntStream.range(0, 30)
                    .<Callable<Integer>>mapToObj(i -> () -> client.send(
                                    HttpRequest.newBuilder(provider.at("call/acme/" + i))
                                            .build(),
                                    BodyHandlers.discarding())
                            .statusCode())
                    .toList();
            int refused = 0;
            for (Future<Integer> answer : callers.invokeAll(calls)) {
                refused += answer.get() == 429 ? 1 : 0;
            }
            assertThat(refused).isPositive();
            CallLog witness = provider.witness();
            assertThat(witness.calls()).isEqualTo(30);
            assertThat(witness.refused()).isEqualTo(refused);
            assertThat(witness.peak()).isEqualTo(Provider.AT_ONCE + 1);
        }
    }

    /** Exactly the gates' figures: 20 in any second, counted when they arrive; what was refused does not count. */
    @Test
    void accepts20InAnySecondAndNoneMore() throws Exception {
        try (Provider provider = new Provider()) {
            long begin = 7_000_000_000L;
            long millis = 1_000_000;
            for (int i = 0; i < Provider.IN_WINDOW; i++) {
                assertThat(isAccepted(provider, begin + i * 40L * millis)).isTrue();
            }
            assertThat(isAccepted(provider, begin + 999 * millis)).isFalse();
            assertThat(isAccepted(provider, begin + 1_000 * millis)).isTrue();
            assertThat(isAccepted(provider, begin + 1_001 * millis)).isFalse();
            assertThat(isAccepted(provider, begin + 1_040 * millis)).isTrue();
            assertThat(provider.witness().most(Provider.WINDOW))
                    .as("refused ones too: they were sent")
                    .isEqualTo(Provider.IN_WINDOW + 2);
            assertThat(provider.witness().accepted(begin + 1_041 * millis)).isEqualTo(Provider.IN_WINDOW);
        }
    }

    private static boolean isAccepted(Provider provider, long now) {
        Provider.Request request = provider.admit("acme", now);
        if (request.isAccepted) {
            provider.finish(request, now);
        }
        return request.isAccepted;
    }
}
