package dev.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.Headgate;
import dev.headgate.workflow.Workflow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Labels and headers on the command line. */
class LabelsTest {
    private static final Workflow<Integer, Integer> SHIP = Workflow.named("ship", 1, Integer.class)
            .then("pack", (n, step) -> n)
            .build();

    @TempDir
    Path folder;

    private Prompt prompt;

    @BeforeEach
    void open() {
        prompt = new Prompt(folder);
    }

    @Test
    void aJobIsEnqueuedWithThemShownAndFound() {
        prompt.must(
                "enqueue",
                "echo",
                "--label",
                "team=mail",
                "--label",
                "note=a=b c",
                "--job-header",
                "TraceParent=00-ab",
                "--job-header",
                "x-token=s3cret");
        prompt.must("enqueue", "echo");
        Prompt.Answer shown = prompt.must("job", "1");
        assertThat(shown.lines()).anyMatch(line -> line.matches(" *labels +note=a=b c, team=mail"));
        assertThat(shown.out())
                .contains("\"traceparent\":\"00-ab\"", "(hidden)")
                .doesNotContain("s3cret");
        assertThat(prompt.must("job", "1", "--reveal").out()).contains("s3cret");
        JsonNode job = prompt.must("job", "1", "--json").json();
        assertThat(job.at("/labels/note").asString()).isEqualTo("a=b c");
        assertThat(job.at("/headers/x-token").asString()).isEqualTo("(hidden)");
        assertThat(prompt.must("job", "1", "--json", "--reveal")
                        .json()
                        .at("/headers/x-token")
                        .asString())
                .isEqualTo("s3cret");
        assertThat(prompt.must("jobs", "--json", "--reveal").out())
                .contains("\"team\":\"mail\"")
                .doesNotContain("s3cret");
        assertThat(prompt.must("jobs", "--label", "team=mail", "--label", "note=a=b c")
                        .lines())
                .hasSize(2);
        assertThat(prompt.must("jobs", "--label", "team=ads").out()).contains("no such jobs");
        prompt.must("cancel", "1");
        assertThat(prompt.must("redrive", "--cancelled", "--label", "team=ads").out())
                .contains("0 jobs");
        assertThat(prompt.must("redrive", "--cancelled", "--label", "team=mail").out())
                .contains("1 job");
    }

    @Test
    void linesOfAFileHaveThemToo() throws IOException {
        Path file = folder.resolve("jobs.jsonl");
        Files.writeString(
                file,
                "{\"type\":\"echo\",\"labels\":{\"n\":\"1\"},\"headers\":{\"a\":\"b\"},\"children\":[{\"type\":\"echo\"}]}\n");
        prompt.must("enqueue", "--from", file.toString(), "--label", "team=mail");
        JsonNode parent = prompt.must("job", "2", "--json").json();
        assertThat(parent.get("labels")).hasToString("{\"n\":\"1\",\"team\":\"mail\"}");
        assertThat(prompt.must("job", "1", "--json").json().get("labels")).isEqualTo(parent.get("labels"));
        Files.writeString(file, "{\"type\":\"echo\",\"labels\":{\"n\":1}}\n");
        assertThat(prompt.run("enqueue", "--from", file.toString()).err())
                .contains("field 'labels': expected text, got number");
        Files.writeString(file, "{\"type\":\"echo\",\"headers\":[]}\n");
        assertThat(prompt.run("enqueue", "--from", file.toString()).err())
                .contains("field 'headers': expected an object of texts, got array");
    }

    @Test
    void aScheduleHasThem() {
        prompt.must("schedule", "add", "often", "echo", "--every", "1h", "--label", "team=mail");
        prompt.must("schedule", "edit", "often", "--job-header", "by=ada");
        assertThat(prompt.must("schedule", "show", "often").out()).contains("team=mail", "\"by\":\"ada\"");
        JsonNode schedule = prompt.must("schedule", "show", "often", "--json").json();
        assertThat(schedule.at("/labels/team").asString()).isEqualTo("mail");
    }

    @Test
    void aRunIsStartedWithThemShownAndFound() {
        try (Headgate headgate = prompt.open()) {
            headgate.workflows().register(SHIP);
        }
        prompt.must("workflow", "start", "ship", "1", "--label", "tenant=acme", "--job-header", "by=ada");
        prompt.must("workflow", "start", "ship", "2");
        assertThat(prompt.must("workflow", "list", "--label", "tenant=acme").lines())
                .hasSize(2);
        assertThat(prompt.must("workflow", "list", "--label", "tenant=other").out())
                .contains("no such runs");
        assertThat(prompt.must("workflow", "show", "1").out()).contains("tenant=acme", "\"by\":\"ada\"");
        assertThat(prompt.must("workflow", "show", "1", "--json")
                        .json()
                        .at("/headers/by")
                        .asString())
                .isEqualTo("ada");
        assertThat(prompt.must("jobs", "--label", "tenant=acme").lines()).hasSize(2);
        assertThat(prompt.must("workflow", "list", "--json")
                        .json()
                        .at("/partial")
                        .asBoolean(true))
                .isFalse();
    }

    @Test
    void defaultsOfATypeMayHaveLabels() {
        prompt.must("policy", "set", "type", "ask", "defaults queue=llm label=team=mail label=note=a%20b");
        prompt.must("enqueue", "ask", "--label", "team=ads");
        assertThat(prompt.must("job", "1", "--json").json().get("labels"))
                .hasToString("{\"note\":\"a b\",\"team\":\"ads\"}");
        assertThat(prompt.must("policy", "list").out()).contains("label=note=a%20b", "label=team=mail");
    }

    @Test
    void wrongOnesAreToldAndNothingIsStored() {
        assertThat(prompt.run("enqueue", "echo", "--label", "mail").err())
                .contains("--label: expected NAME=VALUE, such as team=mail");
        assertThat(prompt.run("enqueue", "echo", "--label", "a=1", "--label", "a=2")
                        .err())
                .contains("--label: expected each name once, got 'a' twice");
        assertThat(prompt.run("enqueue", "echo", "--job-header", "x y=s3cret").err())
                .contains("header: expected a name of 1 to 63 letters")
                .doesNotContain("s3cret");
        assertThat(prompt.run("policy", "set", "type", "ask", "defaults label=mail")
                        .err())
                .contains("expected label=NAME=VALUE");
        assertThat(Files.exists(prompt.store())).isFalse();
    }
}
