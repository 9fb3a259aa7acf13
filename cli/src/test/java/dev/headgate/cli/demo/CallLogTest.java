package dev.headgate.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.cli.demo.DemoResult.TenantOutcome;
import dev.headgate.cli.demo.Provider.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The witness must count right, and must not be silent when a limit breaks. */
class CallLogTest {
    private static final long MILLI = 1_000_000;

    private static Request request(String tenant, long arrivedMillis, long endedMillis, int atOnce) {
        Request request = new Request(tenant, arrivedMillis * MILLI, true, atOnce);
        request.ended = endedMillis * MILLI;
        return request;
    }

    @Test
    void countsTheFullestWindow() {
        List<Request> requests = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            requests.add(request("a", i * 100L, i * 100L + 1, 1));
        }
        requests.add(request("a", 2_950, 2_960, 1));
        CallLog witness = new CallLog(requests);
        assertThat(witness.most(Duration.ofSeconds(1)))
                .as("half open: 10 and the odd one")
                .isEqualTo(11);
        assertThat(witness.span()).isEqualTo(Duration.ofMillis(2_950));
        assertThat(witness.share()).as("of 20 in each of three seconds").isEqualTo(31 / 60.0);
    }

    @Test
    void countsPeaksOfAllAndOfEach() {
        CallLog witness = new CallLog(List.of(
                request("a", 0, 10, 1), request("b", 1, 10, 2), request("a", 5, 20, 3), request("a", 10, 20, 2)));
        assertThat(witness.peak()).isEqualTo(3);
        assertThat(witness.peak("a")).isEqualTo(2);
        assertThat(witness.peak("b")).isEqualTo(1);
    }

    @Test
    void aBrokenLimitIsCalledBroken() {
        Request refused = new Request("acme", 0, false, 6);
        DemoResult outcome = new DemoResult(
                new CallLog(List.of(refused)),
                List.of(new TenantOutcome(new Tenant("acme", 1, 0), 1, List.of(Duration.ofMillis(3)), 4)),
                "");
        assertThat(outcome.isGood()).isFalse();
        assertThat(outcome.limits().lines(200))
                .anyMatch(line -> line.matches("calls at the provider at once +5 +6  BROKEN"))
                .anyMatch(line -> line.matches("429 answers +0 +1  BROKEN"))
                .anyMatch(line -> line.matches("calls of acme at once +3 +4  BROKEN"))
                .anyMatch(line -> line.matches("calls in any second +20 +1  held"));
        assertThat(outcome.verdict())
                .startsWith("3 limits BROKEN: 1 call in ")
                .endsWith(", 1 answered 429, 0.0 % of the allowed rate used.");
        assertThat(outcome.json().toString()).contains("\"held\":false");
    }

    @Test
    void aCallThatDidNotSucceedIsNotGood() {
        DemoResult outcome = new DemoResult(
                new CallLog(List.of()), List.of(new TenantOutcome(new Tenant("acme", 2, 0), 1, List.of(), 1)), "");
        assertThat(outcome.isGood()).isFalse();
        assertThat(outcome.verdict()).contains("not every call succeeded");
    }
}
