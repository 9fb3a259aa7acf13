package dev.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every wrong input gets a line that says what was expected and found, an exit code, and changes nothing. */
class BadInputTest {
    @TempDir
    Path folder;

    Prompt prompt;

    @BeforeEach
    void open() {
        prompt = new Prompt(folder);
        prompt.must("gate", "set", "api", "budget 10", "rate 20/1s burst 5 by-cost");
        prompt.must("gate", "set", "tenant:*", "concurrency 3");
        prompt.must("enqueue", "noop", "--queue", "mail");
    }

    private static Arguments wrong(int exit, String message, String... arguments) {
        return Arguments.of(exit, message, arguments);
    }

    static Stream<Arguments> wrongCommands() {
        String longName = "x".repeat(201);
        return Stream.of(
                wrong(
                        2,
                        "queue: expected a name of 1 to 200 characters, got an empty one",
                        "enqueue",
                        "noop",
                        "--queue",
                        ""),
                wrong(2, "job type: expected a name of 1 to 200 characters, got an empty one", "enqueue", " "),
                wrong(
                        2,
                        "queue: expected a name of at most 200 characters, got 201",
                        "enqueue",
                        "noop",
                        "--queue",
                        longName),
                wrong(
                        2,
                        "gate: expected a name of at most 200 characters, got 201",
                        "gate",
                        "set",
                        longName,
                        "concurrency 1"),
                wrong(
                        2,
                        "gate: expected no control characters, got U+001B",
                        "gate",
                        "set",
                        "a\u001b[31m",
                        "concurrency 1"),
                wrong(2, "expected a count from 1", "gate", "set", "api", "rate 0/1s"),
                wrong(2, "expected a burst of at least 1, got 0", "gate", "set", "api", "rate 5/1s burst 0"),
                wrong(2, "expected a burst of at least 1, got -2", "gate", "set", "api", "rate 5/1s burst -2"),
                wrong(2, "concurrency: expected at least 1, got 0", "gate", "set", "api", "concurrency 0"),
                wrong(2, "unknown kind of limit 'concurency'", "gate", "set", "api", "concurency 3"),
                wrong(
                        2,
                        "expected at most one limit of each kind",
                        "gate",
                        "set",
                        "api",
                        "concurrency 3",
                        "concurrency 3"),
                wrong(
                        2,
                        "margin: expected a span greater than zero, got -5ms; for no margin say none",
                        "gate",
                        "set",
                        "api",
                        "window 20/1s margin -5ms"),
                wrong(
                        2,
                        "'-5ms' is no option; expected a value that is not negative",
                        "gate",
                        "set",
                        "api",
                        "window",
                        "20/1s",
                        "margin",
                        "-5ms"),
                wrong(
                        2,
                        "expected a margin shorter than its period of 1s, got 1s; half of the limit or less would be left",
                        "queue",
                        "set",
                        "mail",
                        "window 20/1s margin 1s"),
                wrong(
                        2,
                        "spaced 20/1s margin 900ms: expected a margin shorter than 450ms, got 900ms; a tenth of the rate or less would be left",
                        "gate",
                        "set",
                        "api",
                        "spaced 20/1s margin 900ms"),
                wrong(
                        2,
                        "rate 100/1s burst 2 margin 500ms: expected a margin shorter than 190ms, got 500ms",
                        "policy",
                        "set",
                        "gate",
                        "api",
                        "rate 100/1s burst 2 margin 500ms"),
                wrong(
                        2,
                        "margin: expected auto, none, end or a span such as 50ms, got 'ennd'; did you mean 'end'?",
                        "gate",
                        "set",
                        "api",
                        "window 20/1s margin ennd"),
                wrong(
                        2,
                        "a limit on what runs at once has no margin",
                        "policy",
                        "set",
                        "gate",
                        "api",
                        "concurrency 3 margin 50ms"),
                wrong(2, "missing required parameter: 'LIMIT'", "gate", "set", "api"),
                wrong(2, "'-5s' is no option; expected a value that is not negative", "gate", "hold", "api", "-5s"),
                wrong(
                        2,
                        "can never pass gate api, it costs 11 units, the budget is 10",
                        "enqueue",
                        "noop",
                        "--gate",
                        "api",
                        "--cost",
                        "11"),
                wrong(2, "the burst is 5", "enqueue", "noop", "--gate", "api", "--cost", "6"),
                wrong(2, "cost: expected 0 to", "enqueue", "noop", "--cost", "-1"),
                wrong(
                        2,
                        "expected at most 262144 bytes of JSON, got 262146; keep large content elsewhere",
                        "enqueue",
                        "noop",
                        '"' + "x".repeat(262_144) + '"'),
                wrong(2, "expected JSON text, got something else", "enqueue", "noop", "{nope}"),
                wrong(2, "expected JSON text, got something else", "enqueue", "noop", "{} {}"),
                wrong(
                        2,
                        "duration: expected a form such as 500ms, 2s, 1m, 1h30m or 1d, got '5 minutes'",
                        "enqueue",
                        "noop",
                        "--delay",
                        "5 minutes"),
                wrong(
                        2,
                        "expected delay(…) or at(…), got both",
                        "enqueue",
                        "noop",
                        "--delay",
                        "5m",
                        "--at",
                        "2040-01-01T00:00Z"),
                wrong(2, "time: expected now, a span such as 5m, or a date", "enqueue", "noop", "--at", "tomorrow"),
                wrong(2, "priority: expected -1000 to 1000", "enqueue", "noop", "--priority", "1001"),
                wrong(2, "attempts: expected 1 to", "enqueue", "noop", "--attempts", "0"),
                wrong(2, "--count: expected 1 to", "enqueue", "noop", "--count", "0"),
                wrong(2, "--file: expected a file that can be read", "enqueue", "noop", "--file", "nowhere.jsonl"),
                wrong(2, "--dedup: expected one job", "enqueue", "noop", "--count", "2", "--dedup", "k"),
                wrong(2, "--dedup-for: expected --dedup KEY", "enqueue", "noop", "--dedup-for", "1m"),
                wrong(
                        2,
                        "--dedup-content: expected no --dedup KEY",
                        "enqueue",
                        "noop",
                        "--dedup",
                        "k",
                        "--dedup-content"),
                wrong(2, "job id: expected a positive number such as 4711, got 'x'", "job", "x"),
                wrong(2, "job id: expected a positive number, got 0", "explain", "0"),
                wrong(2, "limit: expected 1 to 1000, got 0", "jobs", "--limit", "0"),
                wrong(2, "--waiting: expected --gate NAME with it", "jobs", "--waiting"),
                wrong(2, "--holding or --waiting, got both", "jobs", "--gate", "api", "--holding", "--waiting"),
                wrong(2, "--payload: expected FIELD=VALUE, got 'n'", "jobs", "--payload", "n"),
                wrong(2, "payload field: expected a name", "jobs", "--payload", "a..b=1"),
                wrong(2, "--ended: expected FROM..TO, such as 2h..", "jobs", "--ended", "2h"),
                wrong(2, "time: expected now, a span such as 5m", "jobs", "--ended", "yesterday.."),
                wrong(2, "time range: expected its beginning before its end", "jobs", "--ended", "1h..2h"),
                wrong(2, "--before or --cursor, got both", "jobs", "--before", "7", "--cursor", "n7"),
                wrong(2, "cursor: expected the text that a page named for the next one", "jobs", "--cursor", "7"),
                wrong(
                        2,
                        "cursor: expected one of a list of jobs that wait at a gate, got 'n7'",
                        "jobs",
                        "--gate",
                        "api",
                        "--waiting",
                        "--before",
                        "7"),
                wrong(
                        1,
                        "gate 'apy': no policy of this store covers it, and no job names it; did you mean 'api'?",
                        "jobs",
                        "--gate",
                        "apy"),
                wrong(
                        2,
                        "state: expected a known one, got 'queud'; did you mean 'queued'?",
                        "jobs",
                        "--state",
                        "queud"),
                wrong(2, "unknown command 'stauts'; did you mean 'status'?", "stauts"),
                wrong(2, "unknown option '--jsn'; did you mean '--json'?", "status", "--jsn"),
                wrong(2, "expected no further argument, got 'now'", "status", "now"),
                wrong(2, "unknown command 'sett'; did you mean 'set'?", "gate", "sett", "x"),
                wrong(
                        2,
                        "help: no topic or command 'queue-polices'; did you mean 'queue-policies'?",
                        "help",
                        "queue-polices"),
                wrong(2, "slots: expected 1 to", "work", "--slots", "0"),
                wrong(2, "lease: expected 600ms to 1d", "work", "--lease", "1ms"),
                wrong(2, "lostMax: expected 1 to", "work", "--lost-max", "0"),
                wrong(2, "missing required option: '--older-than=SPAN'", "prune"),
                wrong(2, "--jobs: expected 10 to", "demo", "--jobs", "1"),
                wrong(2, "store URL: expected one that begins with a known scheme", "status", "--store", "mysql://x"),
                wrong(2, "set LC_ALL=C.UTF-8", "enqueue", "noop", "--dedup", "\uFFFD"),
                wrong(2, "prune: olderThan: expected zero to", "prune", "--older-than", "99999999d"),
                wrong(2, "reschedule of job 1: at: expected an instant", "reschedule", "1", "99999999d"),
                wrong(
                        2,
                        "option '--store' (URL) should be specified only once",
                        "status",
                        "--store",
                        "a",
                        "--store",
                        "b"),
                wrong(1, "job 99: no such job", "job", "99"),
                wrong(1, "job 99: no such job", "explain", "99"),
                wrong(
                        1,
                        "queue 'mial': no job, policy or worker of this store names it; did you mean 'mail'?",
                        "jobs",
                        "--queue",
                        "mial"),
                wrong(1, "queue 'mial': no job, policy or worker of this store names it", "redrive", "--queue", "mial"),
                wrong(1, "queue 'mial': no job or policy of this store names it", "queues", "show", "mial"),
                wrong(
                        1,
                        "gate 'apy': no job or policy of this store names it; did you mean 'api'?",
                        "gates",
                        "show",
                        "apy"),
                wrong(
                        1,
                        "gate 'tenant:a': no limits are stored under this name; did you mean 'tenant:*'?",
                        "gate",
                        "remove",
                        "tenant:a"),
                wrong(3, "expected a SQLite file, found none", "status", "--store", "jdbc:sqlite:nowhere.db"),
                wrong(3, "expected folder", "enqueue", "noop", "--store", "jdbc:sqlite:no/such/folder/x.db"),
                wrong(3, "without options", "enqueue", "noop", "--store", "jdbc:sqlite:x.db?cache=shared"),
                wrong(
                        3,
                        "could not reach it",
                        "status",
                        "--store",
                        "jdbc:postgresql://127.0.0.1:1/none?user=x&password=hunter2&connectTimeout=1"));
    }

    @ParameterizedTest
    @MethodSource("wrongCommands")
    void isToldAndChangesNothing(int exit, String message, String[] arguments) {
        String before = prompt.must("status", "--json").json().get("queues").toString();
        Prompt.Answer answer = prompt.run(arguments);
        assertThat(answer.err())
                .contains(message)
                .doesNotContain("\tat ")
                .doesNotContain("hunter2")
                .doesNotContain("\u001b");
        assertThat(answer.err().lines().filter(line -> line.startsWith("headgate: ")))
                .hasSize(1);
        assertThat(answer.exit()).isEqualTo(exit);
        assertThat(answer.out()).isEmpty();
        assertThat(prompt.must("status", "--json").json().get("queues").toString())
                .isEqualTo(before);
        assertThat(prompt.must("gates", "--json").json().at("/gates/0/limits/0").asString())
                .isEqualTo("budget 10");
        assertThat(Path.of("nowhere.db")).doesNotExist();
    }

    @Test
    void aFileThatIsNotSqliteIsLeftAlone() throws IOException {
        Path file = folder.resolve("notes.txt");
        Files.writeString(file, "these are not the bytes you are looking for");
        Prompt.Answer answer = prompt.run("enqueue", "noop", "--store", "jdbc:sqlite:" + file);
        assertThat(answer.exit()).isEqualTo(ExitCode.STORE);
        assertThat(answer.err())
                .contains("expected a SQLite database, found another kind of file; nothing was changed");
        assertThat(Files.readString(file)).startsWith("these are not");
    }

    @Test
    void aReadOnlyFileIsRefused() {
        assumeFalse("root".equals(System.getProperty("user.name")), "root may write everything");
        assertThat(prompt.store().toFile().setReadOnly()).isTrue();
        Prompt.Answer answer = prompt.run("enqueue", "noop");
        assertThat(answer.exit()).isEqualTo(ExitCode.STORE);
        assertThat(answer.err()).contains("expected a writable file, found a read-only one");
    }

    @Test
    void aSchemaOfANewerHeadgateIsRefused() throws Exception {
        try (var connection = java.sql.DriverManager.getConnection(prompt.url());
                var statement = connection.createStatement()) {
            statement.execute("update headgate_meta set value = 99 where key = 'schema_version'");
        }
        Prompt.Answer answer = prompt.run("status");
        assertThat(answer.exit()).isEqualTo(ExitCode.STORE);
        assertThat(answer.err()).contains("found 99: this store was used by a newer Headgate; update this one");
    }

    @Test
    void debuggingShowsWhereItHappened() {
        prompt.with("HEADGATE_DEBUG", "1");
        assertThat(prompt.run("job", "99").err()).contains("\tat dev.headgate.cli.");
    }

    @Test
    void aPayloadThatDoesNotFitIsSetAsideAndKept() {
        prompt.must("enqueue", "sleep", "{\"ms\":\"soon\"}");
        prompt.must("enqueue", "mystery");
        prompt.must("work", "--once");
        assertThat(prompt.must("jobs", "--state", "parked").lines())
                .anyMatch(line -> line.contains("sleep") && line.contains("does not fit"))
                .anyMatch(line -> line.contains("mystery"));
        assertThat(prompt.must("explain", "3").out()).contains("parked");
    }
}
