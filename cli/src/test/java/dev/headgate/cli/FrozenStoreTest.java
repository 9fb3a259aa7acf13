package dev.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.cli.process.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Every command that shows something, on stores of older versions with every kind of row: see FrozenContract. */
class FrozenStoreTest {
    @TempDir
    Path folder;

    private static List<Path> frozen(String store) throws IOException {
        Path dumps = Path.of("..", "store-" + store, "src/test/resources/dev/headgate", store, "frozen");
        try (Stream<Path> files = Files.list(dumps)) {
            return files.sorted().toList();
        }
    }

    /** A statement ends with a semicolon at the end of a line. */
    private static void load(Path dump, String url) throws IOException, SQLException {
        String text = Files.readAllLines(dump).stream()
                .filter(line -> !line.startsWith("--"))
                .collect(Collectors.joining("\n"));
        try (Connection connection = DriverManager.getConnection(url)) {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                for (String sql : (text + "\n").split(";\n", -1)) {
                    if (!sql.isBlank()) {
                        statement.execute(sql);
                    }
                }
            }
            connection.commit();
        }
    }

    @Test
    void everyCommandReadsAnOldSqliteStore() throws Exception {
        List<Path> dumps = frozen("sqlite");
        assertThat(dumps).isNotEmpty();
        for (Path dump : dumps) {
            Path place = Files.createDirectory(folder.resolve(dump.getFileName()));
            Prompt prompt = new Prompt(place);
            load(dump, prompt.url());
            walk(prompt);
        }
    }

    @Test
    void everyCommandReadsAnOldPostgresStore() throws Exception {
        List<Path> dumps = frozen("postgres");
        assertThat(dumps).isNotEmpty();
        for (Path dump : dumps) {
            String url = TestServer.freshDatabase();
            load(dump, url);
            walk(new Prompt(folder).with("HEADGATE_STORE", url));
        }
    }

    private static void walk(Prompt prompt) {
        prompt.must("migrate");
        for (String command : List.of(
                "status",
                "queues",
                "gates",
                "jobs",
                "types",
                "backlog",
                "policy list",
                "policy history",
                "policy export",
                "schedule list",
                "schedule show often",
                "schedule next nightly",
                "workflow list",
                "workflow definitions",
                "verify-history",
                "gate show window",
                "queue show fair")) {
            String[] words = command.split(" ");
            assertThat(prompt.must(words).out()).as(command).isNotBlank();
        }
        for (String state :
                List.of("awaiting", "scheduled", "queued", "running", "parked", "succeeded", "failed", "cancelled")) {
            JsonNode jobs = prompt.must("jobs", "--state", state, "--json", "--payloads")
                    .json()
                    .get("jobs");
            assertThat(jobs.size()).as(state).isPositive();
            String id = Long.toString(jobs.get(0).get("id").asLong());
            assertThat(prompt.must("job", id).out()).as("job " + id).isNotBlank();
            assertThat(prompt.must("explain", id).out()).as("explain " + id).isNotBlank();
        }
        JsonNode runs = prompt.must("workflow", "list", "--json").json().get("runs");
        assertThat(runs.size()).isPositive();
        for (JsonNode run : runs) {
            String id = Long.toString(run.get("id").asLong());
            for (String command : List.of("show", "timeline", "export", "artifacts", "draw")) {
                prompt.must("workflow", command, id);
            }
        }
        assertThat(prompt.run("doctor").lines())
                .anyMatch(line -> line.matches("schema +ok .*"))
                .anyMatch(line -> line.matches("recount +ok .*"));
        assertThat(prompt.must("prune", "--older-than", "1d").out()).isNotBlank();
    }
}
