package dev.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.limit.GateKey;
import dev.headgate.proof.contract.RewrittenJournal;
import dev.headgate.spi.Backend;
import dev.headgate.sqlite.SqliteBackend;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class VerifyHistoryCommandTest {
    @TempDir
    Path folder;

    Prompt prompt;

    @BeforeEach
    void run() {
        prompt = new Prompt(folder);
        prompt.must("gate", "set", "api", "window 5/1h margin 1s", "concurrency 9", "journal 7d");
        prompt.must("gate", "set", "silent", "concurrency 9");
        prompt.must("enqueue", "noop", "--gate", "api", "--count", "4");
        prompt.must("work", "--once");
    }

    private void tamper(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(prompt.url());
                Statement statement = connection.createStatement()) {
            assertThat(statement.executeUpdate(sql)).as(sql).isPositive();
        }
    }

    /** Gives the rows the hashes that they would have if the gate had written them so. */
    private void rechain() throws Exception {
        try (Backend backend = SqliteBackend.open(prompt.url())) {
            RewrittenJournal.of(backend, prompt.url(), GateKey.gate("api"));
        }
    }

    @Test
    void aKeptHistoryIsCertified() {
        Prompt.Answer answer = prompt.run("verify-history");
        assertThat(answer.exit()).isZero();
        assertThat(answer.lines())
                .anyMatch(line -> line.matches("gate api: no violation in \\d batch(es)? of starts"))
                .anyMatch(line -> line.matches(
                        "  rows 1 to \\d follow one another without a break; the last has the hash [0-9a-f]{64}"))
                .anyMatch(line -> line.matches("  the journal begins at .*; of the time before, nothing is known"))
                .anyMatch(line -> line.matches(
                        "  window 5/1h margin 1s +at the grant +4 +4 +0 +80.00 % .*: 4 of 5 in the last 1h"))
                .anyMatch(line -> line.matches(" +until the call +0 .*: 4 of 5 in the last 1h"))
                .noneMatch(line -> line.contains("reached no handler"));
        assertThat(answer.err()).contains("limits without a journal, not certified: gate silent");
        JsonNode json = prompt.must("verify-history", "--gate", "api", "--json").json();
        assertThat(json.get("good").asBoolean()).isTrue();
        assertThat(json.at("/gates/0/limits/0/atGrant/tightest/used").asInt()).isEqualTo(4);
        assertThat(json.at("/gates/0/limits/0/untilCall/tightest/used").asInt()).isEqualTo(4);
        assertThat(json.at("/gates/0/limits/1/untilCall").isNull())
                .as("a limit without a margin has one view")
                .isTrue();
    }

    /** Four starts, then two more an hour and half a second later: the window has moved on, but not past the last call. */
    @Test
    void aCallThatMayComeTooLateIsAViolationUntilTheCallOnly() throws Exception {
        tamper("delete from headgate_journal where kind = 'RETURN'");
        tamper("update headgate_journal set starts = starts + 1 where id = (select min(id) from headgate_journal)");
        tamper(
                "insert into headgate_journal (gate, at, kind, starts, units, leases, in_use, started_at, margin, policy, version, keep_until, number, hash)"
                        + " select gate, at + 3600500000, kind, 2, 2, 2, 2, at + 3600500000, margin, policy, version, keep_until, 0, ''"
                        + " from headgate_journal where id = (select min(id) from headgate_journal)");
        rechain();
        Prompt.Answer answer = prompt.run("verify-history", "--gate", "api");
        assertThat(answer.exit()).isEqualTo(ExitCode.BAD);
        assertThat(answer.lines())
                .anyMatch(line -> line.matches("  window 5/1h margin 1s +at the grant .* 0 .*"))
                .anyMatch(line -> line.matches("  violation of window 5/1h margin 1s, counted until the call, at .*"));
    }

    @Test
    void lateStartsAreToldAndCountTowardNothing() throws Exception {
        tamper(
                "insert into headgate_journal (gate, at, kind, starts, units, leases, in_use, started_at, margin, policy, version, keep_until, number, hash)"
                        + " select gate, at, 'LATE', 1, 1, 0, 0, at, margin, policy, version, keep_until, 0, ''"
                        + " from headgate_journal where kind = 'START' order by id limit 1");
        rechain();
        Prompt.Answer answer = prompt.must("verify-history", "--gate", "api");
        assertThat(answer.lines())
                .anyMatch(line -> line.matches(
                        "  1 start came too late for the call, went back or began anew, and counts toward nothing"))
                .anyMatch(line -> line.matches("  window 5/1h margin 1s +at the grant +3 +3 +0 .*"));
        assertThat(prompt.must("verify-history", "--json")
                        .json()
                        .at("/gates/0/late")
                        .asInt())
                .isEqualTo(1);
    }

    @Test
    void aViolationIsShownWithItsFiguresAndTheExitCodeIsOne() throws Exception {
        tamper("update headgate_journal set starts = 6 where kind = 'START'");
        rechain();
        Prompt.Answer answer = prompt.run("verify-history");
        assertThat(answer.exit()).isEqualTo(ExitCode.BAD);
        assertThat(answer.out()).contains("VIOLATION").contains("of 5 in the last 1h");
        JsonNode json = prompt.run("verify-history", "--json").json();
        assertThat(json.get("good").asBoolean()).isFalse();
        assertThat(json.at("/gates/0/limits/0/atGrant/examples/0/allowed").asInt())
                .isEqualTo(5);
    }

    @Test
    void aJournalThatWasChangedByHandIsNoEvidence() throws Exception {
        tamper("update headgate_journal set policy = 'window 500/1h' where number = 1");
        Prompt.Answer answer = prompt.run("verify-history");
        assertThat(answer.exit()).isEqualTo(ExitCode.BAD);
        assertThat(answer.lines())
                .anyMatch(line ->
                        line.matches("gate api: THE JOURNAL IS NOT AS THE GATE WROTE IT: row 1 \\(id \\d+\\) of .*:"
                                + " what it says and its hash do not agree: it was changed"))
                .noneMatch(line -> line.contains("no violation"));
        JsonNode json = prompt.run("verify-history", "--json").json();
        assertThat(json.get("good").asBoolean()).isFalse();
        assertThat(json.at("/gates/0/findings/0/kind").asString()).isEqualTo("broken");
        assertThat(json.at("/gates/0/findings/0/row").asInt()).isEqualTo(1);
        assertThat(json.at("/gates/0/chain/lastRow").asInt()).isZero();
    }

    /** The hashes fit: the policies and the history of jobs do not. */
    @Test
    void aJournalThatWasWrittenAnewIsHeldAgainstWhatElseIsStored() throws Exception {
        assertThat(prompt.must("verify-history").out())
                .contains("  all 4 starts that history has of that time are in it");
        assertThat(prompt.must("verify-history", "--json")
                        .json()
                        .at("/gates/0/compared")
                        .asInt())
                .isEqualTo(4);
        tamper("update headgate_journal set policy = 'window 500/1h margin 1s; concurrency 9'");
        rechain();
        Prompt.Answer limits = prompt.run("verify-history");
        assertThat(limits.exit()).isEqualTo(ExitCode.BAD);
        assertThat(limits.out())
                .contains("gate api: THE JOURNAL NAMES OTHER LIMITS THAN WERE STORED: row 1 (id ")
                .contains("it says that the limits were 'window 500/1h margin 1s; concurrency 9', and in version ");
    }

    @Test
    void aJournalThatIsGoneIsMissed() throws Exception {
        tamper("delete from headgate_journal");
        Prompt.Answer answer = prompt.run("verify-history");
        assertThat(answer.exit()).isEqualTo(ExitCode.BAD);
        assertThat(answer.out()).containsPattern("gate api: .*: row 1: rows? .* missing at the end");
    }

    private void startMore() {
        prompt.must("enqueue", "noop", "--gate", "api");
        prompt.must("work", "--once");
    }

    @Test
    void aCertificateShowsLaterThatTheJournalGoesOn() throws Exception {
        Path file = folder.resolve("monday.json");
        assertThat(prompt.must("verify-history", "--certificate", file.toString())
                        .out())
                .contains("what was proved is in " + file);
        JsonNode written = new JsonMapper().readTree(Files.readString(file));
        long last = written.at("/gates/0/chain/lastRow").asLong();
        assertThat(written.at("/gates/0/chain/head").asString()).hasSize(64);
        assertThat(written.at("/gates/0/limits/0/limit").asString()).isEqualTo("window 5/1h margin 1s");
        startMore();
        Prompt.Answer answer = prompt.must("verify-history", "--since", file.toString());
        assertThat(answer.lines())
                .anyMatch(line ->
                        line.startsWith("  goes on from row %d, with which the certificate of ".formatted(last)));
        JsonNode json = prompt.must("verify-history", "--json", "--since", file.toString())
                .json();
        assertThat(json.at("/gates/0/sinceRow").asLong()).isEqualTo(last);
        Path next = folder.resolve("tuesday.json");
        prompt.must("verify-history", "--since", file.toString(), "--certificate", next.toString());
        assertThat(new JsonMapper()
                        .readTree(Files.readString(next))
                        .get("since")
                        .asString())
                .isEqualTo(written.get("at").asString());
    }

    @Test
    void aJournalThatWasWrittenAnewIsFoundByACertificate() throws Exception {
        Path file = folder.resolve("monday.json");
        prompt.must("verify-history", "--certificate", file.toString());
        tamper("update headgate_journal set in_use = 7");
        rechain();
        assertThat(prompt.run("verify-history").exit()).as("without it").isZero();
        Prompt.Answer answer = prompt.run("verify-history", "--since", file.toString());
        assertThat(answer.exit()).isEqualTo(ExitCode.BAD);
        assertThat(answer.out())
                .contains("gate api: THE JOURNAL DOES NOT GO ON FROM THE CERTIFICATE: row ")
                .contains("the journal was written anew, or the certificate is of another store");
        tamper("delete from headgate_journal");
        tamper("update headgate_gate set journal_count = 0, journal_head = '' where key = 'gate:api'");
        assertThat(prompt.run("verify-history", "--since", file.toString()).out())
                .contains("gate api: THE JOURNAL DOES NOT GO ON")
                .contains("and the gate has written 0: rows were taken away");
    }

    @Test
    void aCertificateIsWrittenOnceAndOnlyOfWhatWasProved() throws Exception {
        Path file = folder.resolve("monday.json");
        Files.writeString(file, "the only one");
        Prompt.Answer there = prompt.run("verify-history", "--certificate", file.toString());
        assertThat(there.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(there.err()).contains("a certificate is never written over");
        assertThat(Files.readString(file)).isEqualTo("the only one");
        assertThat(prompt.run(
                                "verify-history",
                                "--certificate",
                                folder.resolve("none/x").toString())
                        .err())
                .contains("--certificate: expected a file in a folder that is there");
        tamper("delete from headgate_journal where number = 1");
        Path other = folder.resolve("tuesday.json");
        Prompt.Answer bad = prompt.run("verify-history", "--certificate", other.toString());
        assertThat(bad.exit()).isEqualTo(ExitCode.BAD);
        assertThat(bad.out()).contains("no certificate was written, because not all of it was proved");
        assertThat(other).doesNotExist();
        assertThat(prompt.run("verify-history", "--json", "--certificate", other.toString())
                        .json()
                        .get("certificate")
                        .isNull())
                .isTrue();
    }

    @Test
    void whatIsNoCertificateIsToldInWords() throws Exception {
        assertThat(prompt.run(
                                "verify-history",
                                "--since",
                                folder.resolve("none").toString())
                        .err())
                .contains("--since: expected a certificate, found no file that can be read at ");
        Path file = folder.resolve("monday.json");
        for (String text : List.of("", "{}", "no json", "{\"form\":\"headgate certificate 1\",\"gates\":[{}]}")) {
            Files.writeString(file, text);
            Prompt.Answer answer = prompt.run("verify-history", "--since", file.toString());
            assertThat(answer.exit()).as(text).isEqualTo(ExitCode.USAGE);
            assertThat(answer.err())
                    .as(text)
                    .contains("expected a file that 'verify-history --certificate' has written");
        }
        Files.delete(file);
        prompt.must("verify-history", "--certificate", file.toString());
        assertThat(prompt.run("verify-history", "--gate", "silent", "--since", file.toString())
                        .err())
                .contains("says nothing of gate silent; it has [gate api]");
    }

    @Test
    void withoutAJournalNothingIsCertified() {
        Prompt.Answer answer = prompt.run("verify-history", "--gate", "silent");
        assertThat(answer.exit()).isEqualTo(ExitCode.BAD);
        assertThat(answer.out()).contains("gate silent: no journal, nothing can be certified; add 'journal 7d'");
    }

    @Test
    void aPeriodInWhichNothingStartedHasNothingAgainstIt() {
        Prompt.Answer answer = prompt.run("verify-history", "--gate", "api", "--to", "2020-01-01T00:00:00Z");
        assertThat(answer.exit()).isZero();
        assertThat(answer.out()).contains("no violation in 0 batches");
        assertThat(prompt.run("verify-history", "--from", "1h", "--to", "2h").exit())
                .isEqualTo(ExitCode.USAGE);
        assertThat(prompt.must("verify-history", "--from", "1h").out()).contains("no violation in");
    }
}
