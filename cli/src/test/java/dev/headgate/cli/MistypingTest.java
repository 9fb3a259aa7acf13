package dev.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.headgate.cli.process.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** An operator mistypes: the wrong folder, the wrong database, wrong values. Nothing is created or changed. */
class MistypingTest {
    static final List<String> READING = List.of(
            "status",
            "top",
            "top --once --json",
            "queues",
            "backlog",
            "types",
            "gates",
            "gate show api",
            "policy",
            "policy history",
            "policy export",
            "simulate",
            "workflow",
            "workflow definitions",
            "schedule",
            "jobs",
            "job 1",
            "job 1 --follow",
            "explain 1",
            "pause",
            "verify-history",
            "doctor",
            "migrate --plan");

    static final List<String> CHANGING = List.of(
            "pause gate x",
            "resume queue mail",
            "gate hold x 1m",
            "gate clear x",
            "gate remove x",
            "policy undo",
            "schedule remove x",
            "schedule pause x",
            "workflow start x",
            "workflow cancel 1",
            "retry 1",
            "cancel 1",
            "reschedule 1 5m",
            "delete 1",
            "redrive",
            "prune --older-than 1d");

    static final List<String> CREATING = List.of("enqueue noop", "gate set x concurrency=3", "work --once");

    static final List<String> WRONG = List.of(
            "gate set x concurency=3",
            "gate set x concurrency=0",
            "queue set x adaptive=1",
            "policy set gate x rate=1",
            "policy apply nowhere.yaml",
            "enqueue noop --priority 5000",
            "enqueue noop --delay 5m --at 2040-01-01T00:00Z",
            "enqueue noop {nope}",
            "enqueue noop --count 3 --attempts 0",
            "schedule add x noop --cron nope",
            "schedule add x noop --every 1h --priority 5000",
            "work --slots 0",
            "work --lease 1ms",
            "work --lost-max 0",
            "work --once --processes 2");

    @TempDir
    Path folder;

    private static String[] words(String command) {
        String[] words = command.split(" ");
        for (int i = 0; i < words.length; i++) {
            words[i] = words[i].replace('=', ' ');
        }
        return words;
    }

    /** The name and the bytes of every file, without the index of a log, which is no content. */
    private static List<String> content(Path folder) throws IOException {
        List<String> content = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                if (!file.toString().endsWith("-shm")) {
                    content.add(file.getFileName() + " " + HexFormat.of().formatHex(Files.readAllBytes(file)));
                }
            }
        }
        return content;
    }

    private static void execute(String url, String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    @Test
    void inTheWrongFolderNothingIsCreated() {
        Prompt prompt = new Prompt(folder);
        for (String command : Stream.concat(READING.stream(), CHANGING.stream()).toList()) {
            Prompt.Answer answer = prompt.run(words(command));
            if (!command.equals("migrate --plan")) {
                assertThat(answer.exit()).as(command).isEqualTo(ExitCode.STORE);
                assertThat(answer.err()).as(command).contains("expected a SQLite file, found none");
            }
            assertThat(folder).as(command).isEmptyDirectory();
        }
    }

    @ParameterizedTest
    @FieldSource("WRONG")
    void whatIsWrongLeavesNoStoreBehind(String command) {
        Prompt.Answer answer = new Prompt(folder).run(words(command));
        assertThat(answer.exit()).as(answer.err()).isEqualTo(ExitCode.USAGE);
        assertThat(answer.err()).doesNotContain("created");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aCommandThatCreatesAStoreSaysSo() throws IOException {
        for (String command : CREATING) {
            Prompt prompt = new Prompt(Files.createDirectory(folder.resolve(words(command)[0])));
            assertThat(prompt.must(words(command)).err()).as(command).contains("created the store " + prompt.store());
            assertThat(prompt.must(words(command)).err()).as(command).doesNotContain("created");
        }
    }

    @Test
    void aForeignSqliteFileIsLeftAsItIs() throws Exception {
        Prompt prompt = new Prompt(folder);
        execute(
                prompt.url(),
                "create table invoice (id integer primary key, text text)",
                "insert into invoice values (1, 'x')");
        List<String> before = content(folder);
        for (String command : Stream.of(READING, CHANGING, CREATING, WRONG)
                .flatMap(List::stream)
                .toList()) {
            Prompt.Answer answer = prompt.run(words(command));
            assertThat(content(folder)).as(command).isEqualTo(before);
            if ((READING.contains(command) && !command.equals("migrate --plan")) || CHANGING.contains(command)) {
                assertThat(answer.exit()).as(command + answer).isEqualTo(ExitCode.STORE);
                assertThat(answer.err())
                        .as(command)
                        .contains("expected a store of Headgate, found a database without its tables")
                        .contains("headgate migrate")
                        .contains("nothing was changed");
            }
            if (CREATING.contains(command)) {
                assertThat(answer.err()).as(command).contains("found one with tables of others only");
            }
        }
        prompt.must("migrate");
        prompt.must("enqueue", "noop");
    }

    @Test
    void aForeignPostgresDatabaseIsLeftAsItIs() throws Exception {
        String empty = TestServer.freshDatabase();
        Prompt prompt = new Prompt(folder).with("HEADGATE_STORE", empty);
        for (String command : List.of("status", "jobs", "doctor", "pause gate x", "cancel 1", "migrate --plan")) {
            Prompt.Answer answer = prompt.run(words(command));
            assertThat(tables(empty)).as(command).isEmpty();
            if (!command.equals("migrate --plan")) {
                assertThat(answer.exit()).as(command).isEqualTo(ExitCode.STORE);
                assertThat(answer.err()).as(command).contains("found a database without its tables");
            }
        }
        assertThat(prompt.run("gate", "set", "x", "concurency 3").exit()).isEqualTo(ExitCode.USAGE);
        assertThat(tables(empty)).isEmpty();
        assertThat(prompt.must("gate", "set", "x", "concurrency 3").err()).contains("created the store PostgreSQL ");

        String foreign = TestServer.freshDatabase();
        execute(foreign, "create table invoice (id integer primary key)");
        Prompt.Answer answer = prompt.with("HEADGATE_STORE", foreign).run("enqueue", "noop");
        assertThat(answer.exit()).isEqualTo(ExitCode.STORE);
        assertThat(answer.err()).contains("found one with tables of others only");
        assertThat(tables(foreign)).containsExactly("invoice");
    }

    private static List<String> tables(String url) throws SQLException {
        List<String> names = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet tables = statement.executeQuery(
                        "select relname from pg_class where relnamespace = 'public'::regnamespace")) {
            while (tables.next()) {
                if (!tables.getString(1).endsWith("_pkey")) {
                    names.add(tables.getString(1));
                }
            }
        }
        return names;
    }

    /** The store of a worker that was killed has jobs in its log that are not in its file yet. */
    @Test
    void readingAStoreChangesNoByteOfIt() throws Exception {
        Path place = Files.createDirectory(folder.resolve("living"));
        Path copy = Files.createDirectory(folder.resolve("killed"));
        Prompt living = new Prompt(place);
        living.must("gate", "set", "api", "concurrency 3", "journal 7d");
        living.must("enqueue", "noop", "--gate", "api");
        living.must("work", "--once");
        try (Connection open = DriverManager.getConnection(living.url());
                Statement statement = open.createStatement()) {
            statement.execute("select count(*) from headgate_job");
            living.must("enqueue", "noop", "--gate", "api");
            for (String ending : List.of("", "-wal", "-shm")) {
                Files.copy(place.resolve("jobs.db" + ending), copy.resolve("jobs.db" + ending));
            }
        }
        assertThat(content(place)).hasSize(1);
        assertThat(content(copy)).as("a file and its log").hasSize(2);
        for (Path each : List.of(place, copy)) {
            Prompt prompt = new Prompt(each);
            List<String> before = content(each);
            for (String command : READING) {
                prompt.must(words(command));
                assertThat(content(each)).as(command).isEqualTo(before);
            }
            assertThat(prompt.must("jobs", "--json").json().get("jobs").size()).isEqualTo(2);
        }
    }

    @Test
    void aWrongNameChangesNothing() throws IOException {
        Prompt prompt = new Prompt(folder);
        prompt.must("gate", "set", "api", "concurrency 3");
        prompt.must("enqueue", "noop", "--gate", "api");
        List<String> before = content(folder);
        for (String command : List.of("resume queue default", "cancel 99", "retry 99", "gate remove apy")) {
            assertThat(prompt.run(words(command)).exit()).as(command).isEqualTo(ExitCode.BAD);
            assertThat(content(folder)).as(command).isEqualTo(before);
        }
    }

    @Test
    void aReaderWaitsForNoWriter() throws Exception {
        Prompt prompt = new Prompt(folder);
        prompt.must("gate", "set", "api", "concurrency 3", "journal 7d");
        prompt.must("enqueue", "noop", "--gate", "api");
        prompt.must("work", "--once");
        try (Connection writer = DriverManager.getConnection(prompt.url());
                Statement statement = writer.createStatement()) {
            statement.execute("begin exclusive");
            statement.execute("update headgate_meta set value = value");
            for (String command : READING) {
                long start = System.nanoTime();
                prompt.must(words(command));
                assertThat(Duration.ofNanos(System.nanoTime() - start))
                        .as(command)
                        .isLessThan(Duration.ofSeconds(8));
            }
            statement.execute("rollback");
        }
    }

    @Test
    void aStoreThatMayNotBeWrittenCanBeRead() throws Exception {
        assumeFalse("root".equals(System.getProperty("user.name")), "root may write everything");
        Prompt prompt = new Prompt(folder);
        prompt.must("enqueue", "noop");
        assertThat(prompt.store().toFile().setReadOnly()).isTrue();
        assertThat(prompt.must("jobs").out()).contains("noop");
        assertThat(folder.toFile().setReadOnly()).isTrue();
        assertThat(prompt.must("jobs").out()).contains("noop");
        assertThat(folder.toFile().setWritable(true)).isTrue();
        assertThat(content(folder)).hasSize(1);
    }

    @Test
    void inANarrowTerminalEveryCommandAnswersAndEveryTableFits() {
        Prompt prompt = new Prompt(folder);
        prompt.must("gate", "set", "a-gate-with-a-long-name", "concurrency 3", "rate 20/1s burst 5", "journal 7d");
        prompt.must("enqueue", "echo", "--queue", "a-queue-with-a-long-name", "--gate", "a-gate-with-a-long-name");
        prompt.with("HEADGATE_COLUMNS", "30").with("TERM", "dumb");
        for (String command : List.of("queues", "gates", "jobs", "policy", "pause")) {
            assertThat(prompt.must(words(command)).lines())
                    .as(command)
                    .isNotEmpty()
                    .allMatch(line -> line.length() <= 40);
        }
        assertThat(prompt.run("doctor").lines()).allMatch(line -> line.length() <= 40);
        assertThat(prompt.must("jobs").out()).contains("a-queue");
        for (String command : Commands.NAMES) {
            assertThat(prompt.must(command, "--help").out()).as(command).contains("Usage: headgate " + command);
        }
        assertThat(prompt.run("stauts").err()).contains("did you mean 'status'?");
    }

    @Test
    void anUnknownNameToPauseIsRemarked() {
        Prompt prompt = new Prompt(folder);
        prompt.must("gate", "set", "api", "concurrency 3");
        prompt.must("enqueue", "noop", "--queue", "mail", "--gate", "tenant:a");
        for (String known : List.of("gate api", "gate tenant:*", "queue mail", "type noop", "queue ma*")) {
            assertThat(prompt.must(words("pause " + known)).err()).as(known).isEmpty();
        }
        assertThat(prompt.must("pause", "gate", "apy").err())
                .contains(
                        "gate 'apy': no policy of this store covers it, and no job has come to it yet; did you mean 'api'?");
        assertThat(prompt.must("pause", "queue", "mial").err())
                .contains("queue 'mial': no job, policy or worker of this store names it yet; did you mean 'mail'?");
        assertThat(prompt.must("pause", "type", "nop").err())
                .contains("type 'nop': no job of this type is in this store yet; did you mean 'noop'?");
    }
}
