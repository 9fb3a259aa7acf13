package dev.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.Migrations;
import dev.headgate.cli.process.TestServer;
import dev.headgate.jdbc.Schema;
import dev.headgate.store.MigrationPlan.Step;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class MigrateCommandTest {
    @TempDir
    Path folder;

    /** A store as the first version left it. */
    private static void age(String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            for (Step step : Migrations.plan(url).steps()) {
                if (step.version() == 1) {
                    statement.execute(step.sql());
                }
            }
            statement.execute("update headgate_meta set value = 1 where key = 'schema_version'");
        }
    }

    @Test
    void itPlansAndMigratesSqlite() throws SQLException {
        Prompt prompt = new Prompt(folder);
        age(prompt.url());
        walk(prompt, "SQLite ");
    }

    @Test
    void itPlansAndMigratesPostgres() throws SQLException {
        String url = TestServer.freshDatabase();
        age(url);
        walk(new Prompt(folder).with("HEADGATE_STORE", url), "PostgreSQL ");
    }

    private static void walk(Prompt prompt, String store) {
        int to = Schema.version();
        Prompt.Answer plan = prompt.must("migrate", "--plan");
        assertThat(plan.lines().getFirst()).startsWith(store);
        assertThat(plan.lines().get(1))
                .startsWith("schema version 1 would be brought to %d by ".formatted(to))
                .contains("statements; written anew: ")
                .contains("; read as a whole: headgate_job");
        assertThat(plan.out())
                .contains("version 4, 0004_listings: reads all of headgate_job, which cannot be written meanwhile")
                .contains("    create index headgate_job_aside on headgate_job")
                .contains("version 5, 0005_running_shares: changes how headgate_share is described, quick");
        assertThat(prompt.must("migrate", "--plan").out())
                .as("nothing was changed")
                .isEqualTo(plan.out());
        JsonNode json = prompt.must("migrate", "--plan", "--json").json();
        assertThat(json.get("from").asInt()).isEqualTo(1);
        assertThat(json.get("to").asInt()).isEqualTo(to);
        assertThat(json.get("done").asBoolean()).isFalse();
        int statements = json.get("statements").size();
        assertThat(json.at("/statements/0/effect").asString()).isEqualTo("new");

        Prompt.Answer done = prompt.must("migrate");
        assertThat(done.lines().get(1)).startsWith("schema version 1 was brought to %d by ".formatted(to));
        assertThat(done.err().lines())
                .as("how far it is")
                .hasSize(statements)
                .first()
                .asString()
                .startsWith("statement 1 of %d, version 2: ".formatted(statements));
        assertThat(prompt.must("migrate").lines().get(1))
                .isEqualTo("schema version %d: up to date, nothing to do".formatted(to));
        assertThat(prompt.must("migrate", "--json").json().get("done").asBoolean())
                .isFalse();
        prompt.must("doctor");
    }

    @Test
    void itNamesTheWorkersToStopAndCutsThemOffIfItMust() throws SQLException {
        Prompt prompt = new Prompt(folder);
        age(prompt.url());
        try (Connection connection = DriverManager.getConnection(prompt.url());
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "insert into headgate_worker (id, name, queues, slots, started_at, lease_until, holding, room) values ('1', 'mail on host-1', 'mail', 1, 0, %d, '', '')"
                            .formatted(Long.MAX_VALUE));
        }
        Prompt.Answer reading = prompt.run("status");
        assertThat(reading.exit()).isEqualTo(ExitCode.STORE);
        assertThat(reading.err()).contains("found version 1; bring them up to date with 'headgate migrate'");
        for (String command : List.of("migrate", "retry 1")) {
            Prompt.Answer refused = prompt.run(command.split(" "));
            assertThat(refused.exit()).isEqualTo(ExitCode.STORE);
            assertThat(refused.err()).contains("found 1: mail on host-1; stop them", "headgate migrate --force");
        }
        assertThat(prompt.must("migrate", "--force").lines().get(1)).startsWith("schema version 1 was brought to ");
        prompt.must("status");
    }

    @Test
    void aPlanMakesNoFile() {
        assertThat(new Prompt(folder).must("migrate", "--plan").lines().get(1))
                .startsWith("schema version 0 (no tables yet) would be brought to ");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aStoreOfANewerVersionIsRefused() throws SQLException {
        Prompt prompt = new Prompt(folder);
        prompt.must("migrate");
        try (Connection connection = DriverManager.getConnection(prompt.url());
                Statement statement = connection.createStatement()) {
            statement.execute("update headgate_meta set value = 999 where key = 'schema_version'");
        }
        Prompt.Answer refused = prompt.run("migrate", "--plan");
        assertThat(refused.exit()).isEqualTo(ExitCode.STORE);
        assertThat(refused.err()).contains("found 999: this store was used by a newer Headgate");
    }
}
