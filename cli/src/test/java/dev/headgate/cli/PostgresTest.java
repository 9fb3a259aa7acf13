package dev.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.cli.process.TestServer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands do not know which store they talk to; this walks through them once on PostgreSQL. */
class PostgresTest {
    @TempDir
    Path folder;

    @Test
    void theCommandsWorkOnPostgres() {
        Prompt prompt = new Prompt(folder).with("HEADGATE_STORE", TestServer.freshDatabase());
        prompt.must("gate", "set", "tenant:*", "concurrency 2", "rate 200/1s burst 5");
        assertThat(prompt.must("enqueue", "echo", "{\"n\":1}", "--gate", "tenant:'☃*", "--count", "20")
                        .lines())
                .hasSize(20);
        prompt.must("enqueue", "fail", "--attempts", "1");
        assertThat(prompt.must("explain", "20").out()).contains("no worker serves queue default");
        assertThat(prompt.must("work", "--once").lines()).contains("stopped: 20 jobs returned, 1 threw");
        assertThat(prompt.must("status").lines())
                .anyMatch(line -> line.startsWith("PostgreSQL "))
                .anyMatch(line -> line.matches("default +0 +0 +0 +0 +0 +20 +1 +0 +0 +-"))
                .anyMatch(line -> line.contains("tenant:'☃*") && line.contains("(by tenant:*)"));
        assertThat(prompt.must("job", "20", "--json").json().at("/result/n").asInt())
                .isEqualTo(1);
        assertThat(prompt.must("redrive").lines()).containsExactly("1 job queued again");
        assertThat(prompt.must("cancel", "21").lines()).containsExactly("job 21: cancelled");
        assertThat(prompt.must("prune", "--older-than", "0s").lines()).containsExactly("21 ended jobs deleted");
        assertThat(prompt.must("doctor").lines()).anyMatch(line -> line.matches("recount +ok .*"));
        assertThat(prompt.must("demo", "--jobs", "10", "--store", TestServer.freshDatabase())
                        .out())
                .contains("Every limit held");
    }
}
