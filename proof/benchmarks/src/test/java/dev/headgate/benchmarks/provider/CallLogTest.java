package dev.headgate.benchmarks.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headgate.benchmarks.provider.CallLog.Call;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CallLogTest {
    private static final long SECOND = 1_000_000;
    private static final Allowance WINDOW = Allowance.of(Allowance.Kind.SLIDING, "20/1s");

    @Test
    void aShareIsOfTheFloodAloneAndOfItsAcceptedCalls() {
        List<Call> calls = new ArrayList<>(List.of(new Call(1, true, 1)));
        for (int i = 0; i < 19; i++) {
            calls.add(new Call(100 * SECOND + i, true, 0));
        }
        calls.add(new Call(101 * SECOND - 1, false, 0));
        calls.add(new Call(101 * SECOND, true, 0)); // in the second second, which is empty otherwise
        calls.add(new Call(102 * SECOND, true, 0)); // after the two seconds
        CallLog log = new CallLog(calls);
        assertThat(log.share(WINDOW, 2)).isEqualTo(20 / 40.0);
        assertThat(log.refused()).isEqualTo(1);
        Allowance bucket = Allowance.of(Allowance.Kind.BUCKET, "20/1s");
        assertThat(log.share(bucket, 2)).as("full at first").isEqualTo(20 / 60.0);
    }

    @Test
    void ofFixedWindowsOnlyWholeOnesCount() {
        List<Call> calls = new ArrayList<>();
        for (long at = 100 * SECOND + 500_000; at < 103 * SECOND; at += 50_000) {
            calls.add(new Call(at, true, 0));
        }
        calls.remove(11); // of the first whole second, the second of its calls
        Allowance fixed = Allowance.of(Allowance.Kind.FIXED, "20/1s");
        assertThat(new CallLog(calls).share(fixed, 2))
                .as("of the second from 101 on")
                .isEqualTo(19 / 20.0);
    }

    @Test
    void latencyIsFromEnqueueToTheAcceptedCall() {
        CallLog log = new CallLog(List.of(
                new Call(5_000, false, 1_000),
                new Call(9_000, true, 4_000),
                new Call(9_500, true, 0),
                new Call(11_000, true, 1_000)));
        assertThat(log.latencies()).containsExactly(5, 10);
        assertThat(CallLog.quantile(log.latencies(), 0.99)).isEqualTo(10);
        assertThat(CallLog.quantile(new double[0], 0.5)).isNaN();
        assertThat(Call.parse(log.calls().getFirst().text()))
                .isEqualTo(log.calls().getFirst());
    }

    @Test
    void aGateHasTheProvidersFigures() {
        assertThat(WINDOW.gate(false)).isEqualTo("window 20/1s");
        assertThat(WINDOW.gate(true)).isEqualTo("rate 20/1s burst 1");
        assertThat(Allowance.of(Allowance.Kind.BUCKET, "200/10s").gate(false)).isEqualTo("rate 200/10s burst 200");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Allowance.of(Allowance.Kind.FIXED, "20"))
                .withMessageContaining("such as 20/1s, got '20'");
    }

    @Test
    void aCellThatIsRunAgainReplacesItsOwnLine(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("results").resolve("provider-sqlite.csv");
        Cell one = Cell.of("headgate", "copied", "sliding", "20/1s", "1", "warm", "quiet", "");
        Cell other = Cell.of("headgate", "copied", "sliding", "20/1s", "4", "cold", "busy", "margin end");
        new Results(file).add(one, 20, new Measured(400, 3, 0.9, 100, 1.5, 20, -1));
        new Results(file).add(other, 20, "no, it failed");
        new Results(file).add(one, 60, new Measured(1_200, 0, 0.95, 0, Double.NaN, Double.NaN, 7));
        assertThat(Files.readAllLines(file).subList(1, 3))
                .containsExactly(
                        "headgate,copied,sliding,20/1s,1,warm,quiet,,60,1200,0,95.0,0,,,7,",
                        "headgate,copied,sliding,20/1s,4,cold,busy,margin end,20,,,,,,,,no; it failed");
        assertThat(Cell.of(other.words())).isEqualTo(other);
        assertThat(new Results(file).picture("sqlite").svg())
                .contains(">95.0 %<")
                .doesNotContain("busy");
    }

    @Test
    void aPictureHasABarForEachAndARedWordForTheRefused() {
        Picture picture = new Picture("sqlite");
        picture.add(
                Cell.of("headgate", "copied", "sliding", "20/1s", "1", "warm", "quiet", ""),
                new Measured(400, 0, 0.96, 0, Double.NaN, Double.NaN, -1));
        picture.add(
                Cell.of("bucket4j", "copied", "sliding", "20/1s", "1", "warm", "quiet", ""),
                new Measured(400, 31, 0.91, 0, Double.NaN, Double.NaN, -1));
        assertThat(picture.svg().split("height=\"14\"", -1)).hasSize(3);
        assertThat(picture.svg()).contains(">96.0 %<", ">31 of 400<", ">sliding 20/1s, 1 process, warm, quiet<");
    }
}
