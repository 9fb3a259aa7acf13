package dev.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.cli.process.TestServer;
import dev.headgate.jdbc.Schema;
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

    @Test
    void itPlansAndMigrates() {
        Prompt prompt = new Prompt(folder).with("HEADGATE_STORE", "older:" + folder);
        Prompt.Answer plan = prompt.must("migrate", "--plan");
        assertThat(plan.lines())
                .startsWith(
                        "Older older:" + folder,
                        "schema version 11 would be brought to 12 by 5 statements; written anew: headgate_artifact; read as a whole: headgate_job")
                .contains(
                        "version 12, 0012_next: makes something new at headgate_next, quick",
                        "    create table headgate_next (",
                        "        id bigint",
                        "version 12, 0012_next: reads all of headgate_job, which cannot be written meanwhile",
                        "version 12, 0012_next: writes headgate_artifact or its indexes anew",
                        "version 12, 0012_next: changes how headgate_share is described, quick",
                        "version 12, 0012_next: changes rows of headgate_worker");
        assertThat(prompt.must("migrate", "--plan").out())
                .as("nothing was changed")
                .isEqualTo(plan.out());
        JsonNode json = prompt.must("migrate", "--plan", "--json").json();
        assertThat(json.get("from").asInt()).isEqualTo(11);
        assertThat(json.get("to").asInt()).isEqualTo(12);
        assertThat(json.get("done").asBoolean()).isFalse();
        assertThat(json.get("statements").size()).isEqualTo(5);
        assertThat(json.at("/statements/0/effect").asString()).isEqualTo("new");

        Prompt.Answer done = prompt.must("migrate");
        assertThat(done.lines().get(1)).startsWith("schema version 11 was brought to 12 by ");
        assertThat(done.err().lines())
                .as("how far it is")
                .hasSize(5)
                .first()
                .isEqualTo("statement 1 of 5, version 12: makes something new at headgate_next, quick");
        assertThat(prompt.must("migrate").lines().get(1)).isEqualTo("schema version 12: up to date, nothing to do");
        assertThat(prompt.must("migrate", "--json").json().get("done").asBoolean())
                .isFalse();
    }

    @Test
    void itNamesTheWorkersToStopAndCutsThemOffIfItMust() {
        Prompt prompt = new Prompt(folder).with("HEADGATE_STORE", "older:" + folder + "/busy");
        Prompt.Answer reading = prompt.run("status");
        assertThat(reading.exit()).isEqualTo(ExitCode.STORE);
        assertThat(reading.err()).contains("found version 11; bring them up to date with 'headgate migrate'");
        for (String command : List.of("migrate", "retry 1")) {
            Prompt.Answer refused = prompt.run(command.split(" "));
            assertThat(refused.exit()).isEqualTo(ExitCode.STORE);
            assertThat(refused.err()).contains("found 1: mail on host-1; stop them", "headgate migrate --force");
        }
        assertThat(prompt.must("migrate", "--force").lines().get(1)).startsWith("schema version 11 was brought to ");
    }

    @Test
    void realStoresAreMadeAndThenUpToDate() {
        for (String url : List.of(new Prompt(folder).url(), TestServer.freshDatabase())) {
            Prompt prompt = new Prompt(folder).with("HEADGATE_STORE", url);
            int version = Schema.version();
            assertThat(prompt.must("migrate").lines().get(1))
                    .startsWith("schema version 0 (no tables yet) was brought to %d by ".formatted(version));
            assertThat(prompt.must("migrate").lines().get(1))
                    .isEqualTo("schema version %d: up to date, nothing to do".formatted(version));
            prompt.must("doctor");
        }
    }

    /** Its tables are those of a program from before the first release. */
    @Test
    void aStoreFromBeforeTheFirstReleaseIsRefusedWithAHintHowToExportIt() throws SQLException {
        Prompt prompt = new Prompt(folder);
        prompt.must("migrate");
        try (Connection connection = DriverManager.getConnection(prompt.url());
                Statement statement = connection.createStatement()) {
            statement.execute("update headgate_meta set value = 10 where key = 'schema_version'");
        }
        for (String command : List.of("status", "migrate", "migrate --plan", "migrate --force", "retry 1")) {
            Prompt.Answer refused = prompt.run(command.split(" "));
            assertThat(refused.exit()).as(command).isEqualTo(ExitCode.STORE);
            assertThat(refused.err())
                    .contains("expected tables of version 11 or newer, found version 10", "'headgate policy export'");
        }
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
