package dev.headgate.benchmarks.versus;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is made of the rounds. */
class ReportTest {
    private static final Entry HEADGATE = new Entry(Entrant.HEADGATE, Load.PLAIN);
    private static final Entry JOBRUNR = new Entry(Entrant.JOBRUNR, Load.PLAIN);
    private static final Entry QUARTZ = new Entry(Entrant.QUARTZ, Load.PLAIN);

    @Test
    void theTableHasMedianSpreadAndRatioAndSaysWhoFailed() {
        String table = new Report(threeRounds()).table();

        assertThat(table).containsPattern("headgate +2,000 +1,000 +9,000 +1.00 +3 +0.50");
        assertThat(table).containsPattern("JobRunr 8.7 +300 +200 +400 +0.15 +2");
        assertThat(table).containsPattern("Quartz 2.5.2 +failed");
        assertThat(table).contains("Quartz 2.5.2: no tables");
        assertThat(table).containsPattern("DBOS Transact 1.1.0-m6 +not run");
    }

    @Test
    void theValuesHaveEveryRound() {
        assertThat(new Report(threeRounds()).csv().lines())
                .contains(
                        "drain-postgres,\"JobRunr 8.7\",\"100 workers on virtual threads, poll of 5 s, its least\",2,DRAIN,\"jobs/s\",400.000000")
                .anyMatch(line -> line.contains("\"Quartz 2.5.2\"") && line.endsWith("FAILED,,\"no tables\""))
                .hasSize(1 + 6 + 2 + 1);
    }

    @Test
    void thePictureHasABarForEachThatRan() {
        String svg = new Bars("a & b")
                .panel("jobs/s")
                .bar("headgate", new Spread(50, 40, 100))
                .bar("raw <SQL>", new Spread(100, 100, 100))
                .svg();

        assertThat(svg).contains("a &amp; b", "raw &lt;SQL&gt;", "width=\"220.0\"", "width=\"440.0\"");
        assertThat(svg.split("<rect", -1)).hasSize(1 + 1 + 2);
    }

    @Test
    void inEachRoundAnotherOneBegins() {
        List<Entry> entries = List.of(HEADGATE, JOBRUNR, QUARTZ);

        assertThat(IntStream.range(0, 4)
                        .mapToObj(round -> Comparison.order(entries, round).getFirst()))
                .containsExactly(HEADGATE, JOBRUNR, QUARTZ, HEADGATE);
        assertThat(Comparison.order(entries, 1)).containsExactly(JOBRUNR, QUARTZ, HEADGATE);
    }

    @Test
    void whatATrialSaysIsReadBackAmongOtherWords() {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
        out.println("Thank you for using JobRunr");
        Outcome.of(Map.of(Figure.DRAIN, 12.5)).print(out);

        assertThat(Outcome.parse(said.toString(StandardCharsets.UTF_8).lines().toList()))
                .isEqualTo(Outcome.of(Map.of(Figure.DRAIN, 12.5)));
        assertThat(Outcome.parse(List.of("failed a\tb")).failure()).isEqualTo("a\tb");
        assertThat(Outcome.parse(List.of("hello")).failure()).isEqualTo("the process ended without a word");
    }

    private static Standings threeRounds() {
        Standings standings = new Standings(Contest.DRAIN, "postgres");
        for (double rate : new double[] {9_000, 1_000, 2_000}) {
            standings.add(HEADGATE, Outcome.of(Map.of(Figure.DRAIN, rate, Figure.COMMITS, 0.5)));
        }
        standings.add(JOBRUNR, Outcome.of(Map.of(Figure.DRAIN, 200.0)));
        standings.add(JOBRUNR, Outcome.of(Map.of(Figure.DRAIN, 400.0)));
        standings.add(QUARTZ, Outcome.failed("no tables\nat x"));
        return standings;
    }
}
