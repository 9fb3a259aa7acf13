package dev.headgate.cli.display;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.json.JsonWriter;
import dev.headgate.internal.text.NearestName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TableTest {
    @Test
    void alignsWordsLeftAndFiguresRight() {
        Table table = new Table("NAME", ">N", "REST").row("a", 1, "x").row("日本🦊", 100, "");
        assertThat(table.lines(80)).containsExactly("NAME      N  REST", "a         1  x", "日本🦊  100");
    }

    @Test
    void cutsTheLastColumnToFit() {
        Table table = new Table("NAME", "TEXT").row("n", "x".repeat(100));
        assertThat(table.lines(40)).allMatch(line -> Columns.of(line) <= 40);
        assertThat(table.lines(40).get(1)).endsWith("x…");
    }

    @Test
    void cutsHeadingsAndTextsBeforeItOverflows() {
        Table table =
                new Table("NAME", ">AWAITING", ">SCHEDULED", "LIMITS").row("a-rather-long-name", 1, 22, "rate 20/1s");
        assertThat(table.lines(42))
                .containsExactly(
                        "NAME                AWA…  SCH…  LIMITS", "a-rather-long-name     1    22  rate 20/1s");
    }

    @Test
    void listsTheCellsOfARowThatDoesNotFitAndCutsNoFigure() {
        Table table = new Table("NAME", ">A", ">B", ">C", ">D", "")
                .row("a-name-of-twenty-chr", 123_456_789, 123_456_789, 123_456_789, 4, "it goes on and on for a while")
                .row("x".repeat(60), 1, 2, 3, 4, "");
        List<String> lines = table.lines(40);
        assertThat(lines).allMatch(line -> Columns.of(line) <= 40);
        assertThat(lines)
                .startsWith("NAME  a-name-of-twenty-chr", "A     123456789")
                .contains(
                        "      it goes on and on for a while",
                        "",
                        "NAME  " + "x".repeat(34),
                        "      " + "x".repeat(26));
    }

    @Test
    void breaksTheLastColumnIfItIsToldTo() {
        Table table = new Table("CHECK", "FOUND")
                .row("clock", "it goes on and on for a while, and then some")
                .wrapping();
        assertThat(table.lines(40))
                .containsExactly("CHECK  FOUND", "clock  it goes on and on for a while,", "       and then some");
        assertThat(table.lines(Integer.MAX_VALUE)).hasSize(2);
    }

    @Test
    void makesControlCharactersVisible() {
        assertThat(new Table("A").row("\u001b[2J\n").lines(80).get(1)).isEqualTo("\\u001b[2J\\u000a");
    }

    @Test
    void wrapsBetweenWords() {
        assertThat(Columns.wrap("one two three incomprehensibilities x", 9))
                .containsExactly("one two", "three", "incomprehensibilities", "x");
    }

    @ParameterizedTest
    @CsvSource({
        "PT0S,0 ms",
        "PT0.999S,999 ms",
        "PT1.05S,1 s",
        "PT59.99S,59.9 s",
        "PT1M,1 m",
        "PT61S,1 m 1 s",
        "PT3H5M,3 h 5 m",
        "P4DT2H,4 d 2 h",
        "PT-5S,-5 s"
    })
    void spansAreSpoken(Duration span, String words) {
        assertThat(Wording.span(span)).isEqualTo(words);
    }

    @Test
    void timesAreSpokenFromNow() {
        Instant now = Instant.parse("2030-01-01T00:00:00Z");
        assertThat(Wording.from(now, now.minusSeconds(5))).isEqualTo("5 s ago");
        assertThat(Wording.from(now, now.plusSeconds(120))).isEqualTo("in 2 m");
    }

    @Test
    void nearNamesAreSuggested() {
        List<String> known = List.of("status", "queues", "gates", "jobs", "job");
        assertThat(NearestName.names("stauts", known)).containsExactly("status");
        assertThat(NearestName.names("gate", known)).containsExactly("gates");
        assertThat(NearestName.names("jbo", known)).containsExactly("job");
        assertThat(NearestName.names("zzz", known)).isEmpty();
        assertThat(NearestName.hint("zzz", known)).isEqualTo("; there is 'gates', 'job', 'jobs', 'queues', 'status'");
        assertThat(NearestName.hint("x", List.of())).isEmpty();
    }

    @Test
    void jsonIsAsciiAndKeepsFiguresExact() {
        JsonWriter json = JsonWriter.object()
                .putJson("p", "{\"n\":1.10,\"big\":123456789012345678901234567890,\"t\":\"é🦊\u009b\"}");
        assertThat(json.toString())
                .isEqualTo(
                        "{\"p\":{\"n\":1.10,\"big\":123456789012345678901234567890,\"t\":\"\\u00E9\\uD83E\\uDD8A\\u009B\"}}");
        assertThat(JsonWriter.object().putJson("p", "not json").toString()).isEqualTo("{\"p\":\"not json\"}");
    }

    @Test
    void aTerminalIsWhatTheEnvironmentSays() {
        assertThat(Terminal.of(Map.of("HEADGATE_COLUMNS", "0", "TERM", "xterm")))
                .isEqualTo(Terminal.PIPE);
        assertThat(Terminal.of(Map.of("HEADGATE_COLUMNS", "100", "TERM", "xterm")))
                .isEqualTo(new Terminal(true, true, 100, 24));
        assertThat(Terminal.of(Map.of("HEADGATE_COLUMNS", "100", "TERM", "xterm", "NO_COLOR", "1")))
                .isEqualTo(new Terminal(true, false, 100, 24));
        assertThat(Terminal.of(Map.of("HEADGATE_COLUMNS", "20", "TERM", "dumb")))
                .isEqualTo(new Terminal(false, false, 40, 24));
    }
}
