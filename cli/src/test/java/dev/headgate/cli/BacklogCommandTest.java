package dev.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class BacklogCommandTest {
    @TempDir
    Path folder;

    Prompt prompt;

    @BeforeEach
    void fill() {
        prompt = new Prompt(folder);
        prompt.must("gate", "set", "api", "concurrency 2");
        prompt.must("enqueue", "noop", "--queue", "mail", "--count", "7");
        prompt.must("enqueue", "noop", "--queue", "mail", "--gate", "api", "--count", "5");
        prompt.must("enqueue", "noop", "--queue", "reports", "--delay", "1h");
        prompt.must("enqueue", "noop", "--queue", "so \"called\"");
        prompt.must("pause", "queue", "so \"called\"");
    }

    @Test
    void asATable() {
        assertThat(prompt.must("backlog").lines())
                .anyMatch(line -> line.matches("QUEUE +ADMISSIBLE +BLOCKED +UNJUDGED +PAUSED +SCHEDULED .*"))
                .anyMatch(line -> line.matches("mail +9 +3 +0 +0 +0 +0 +0 +0"))
                .anyMatch(line -> line.matches("reports +0 +0 +0 +0 +1 +0 +0 +0"))
                .anyMatch(line -> line.matches("so \"called\" +0 +0 +0 +1 +0 +0 +0 +0"));
        assertThat(prompt.must("backlog", "mail", "--max", "4").lines())
                .anyMatch(line -> line.matches("mail +4\\+ +0 +8 +0 .*"))
                .hasSize(2);
    }

    @Test
    void inJson() {
        JsonNode backlog =
                prompt.must("backlog", "mail", "reports", "nobody", "--json").json();
        assertThat(backlog.get("admissible").asInt()).isEqualTo(9);
        assertThat(backlog.get("isMore").asBoolean()).isFalse();
        assertThat(backlog.at("/queues/0").toString())
                .isEqualTo(
                        "{\"name\":\"mail\",\"admissible\":9,\"isMore\":false,\"blocked\":3,\"unjudged\":0,\"paused\":0,"
                                + "\"scheduled\":0,\"awaiting\":0,\"parked\":0,\"running\":0,\"isAtLeast\":false}");
        assertThat(backlog.at("/queues/1/name").asString()).isEqualTo("nobody");
    }

    @Test
    void asPrometheusReadsIt() {
        assertThat(prompt.must("backlog", "--prometheus").lines())
                .contains(
                        "# TYPE headgate_backlog_jobs gauge",
                        "headgate_backlog_jobs{queue=\"mail\",state=\"admissible\"} 9",
                        "headgate_backlog_jobs{queue=\"mail\",state=\"blocked\"} 3",
                        "headgate_backlog_jobs{queue=\"reports\",state=\"scheduled\"} 1",
                        "headgate_backlog_jobs{queue=\"so \\\"called\\\"\",state=\"paused\"} 1",
                        "headgate_backlog_is_more{queue=\"mail\"} 0")
                .allMatch(line -> line.startsWith("# ") || line.matches("headgate_backlog_\\w+\\{.*} \\d+"));
    }

    @Test
    void anEmptyStoreHasNone() {
        prompt.must("delete", "1");
        assertThat(prompt.must("backlog", "unheard-of").lines()).anyMatch(line -> line.matches("unheard-of +0 +0 .*"));
    }
}
