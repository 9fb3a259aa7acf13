package dev.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** policy list, set, remove, apply, diff, export, history, undo. */
class PolicyCommandTest {
    private static final String FILE = """
            queues:
              mail: { limits: [concurrency 20] }
            gates:
              "tenant:*": { limits: [concurrency 3] }
            """;

    @TempDir
    Path folder;

    Prompt prompt;
    Path file;

    @BeforeEach
    void open() throws IOException {
        prompt = new Prompt(folder);
        file = folder.resolve("limits.yaml");
        Files.writeString(file, FILE);
    }

    @Test
    void aFileIsAppliedAsOneVersionWithItsDifferenceFirst() {
        prompt.must("policy", "set", "gate", "tenant:*", "concurrency 9");
        prompt.must("policy", "set", "gate", "other", "concurrency 1");
        Prompt.Answer dry = prompt.must("policy", "apply", file.toString(), "--dry-run");
        assertThat(dry.lines())
                .containsExactly(
                        "+ queue mail: concurrency 20",
                        "~ gate tenant:*: concurrency 9 -> concurrency 3",
                        "nothing was changed (--dry-run)");
        assertThat(dry.err()).contains("1 stored policy not in the file; --prune removes them");
        assertThat(prompt.must("policy", "apply", file.toString(), "--by", "ada", "--because", "ticket 7")
                        .lines())
                .endsWith("stored as version 3");
        assertThat(prompt.must("policy", "apply", file.toString()).lines())
                .containsExactly("nothing to change; version 3");
        assertThat(prompt.must("policy", "apply", file.toString(), "--prune").lines())
                .containsExactly("- gate other: concurrency 1", "stored as version 4");
        assertThat(prompt.must("policy", "history", "--json")
                        .json()
                        .at("/versions/1/author")
                        .asString())
                .isEqualTo("ada");
    }

    @Test
    void aStoreThatIsNotThereYetIsTakenForAnEmptyOneByADryRunAndToldWhenItIsMade() {
        Prompt.Answer dry = prompt.must("policy", "apply", file.toString(), "--dry-run");
        assertThat(dry.lines())
                .containsExactly(
                        "+ queue mail: concurrency 20",
                        "+ gate tenant:*: concurrency 3",
                        "nothing was changed (--dry-run)");
        assertThat(dry.err()).contains("there is no store " + prompt.store() + " yet");
        assertThat(prompt.store()).doesNotExist();
        assertThat(prompt.must("gate", "set", "api", "concurrency 2").err())
                .contains("created the store " + prompt.store());
    }

    @Test
    void aWrongFileChangesNothing() throws IOException {
        Files.writeString(file, FILE + "  b: { limit: [concurrency 1] }\n");
        Prompt.Answer answer = prompt.run("policy", "apply", file.toString());
        assertThat(answer.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(answer.err()).contains("limits.yaml, line 5, column 8: unknown key 'limit'; did you mean 'limits'?");
        assertThat(folder.resolve("jobs.db")).doesNotExist();
        assertThat(prompt.run("policy", "apply", folder.resolve("none.yaml").toString())
                        .exit())
                .isEqualTo(ExitCode.USAGE);
    }

    @Test
    void exportDiffAndApplyAgree() throws IOException {
        prompt.must("policy", "apply", file.toString());
        String exported = prompt.must("policy", "export").out();
        Files.writeString(file, exported);
        assertThat(prompt.must("policy", "diff", file.toString()).lines())
                .containsExactly("the file and the store agree");
        prompt.must("queue", "set", "more", "concurrency 1");
        Prompt.Answer differs = prompt.run("policy", "diff", file.toString());
        assertThat(differs.exit()).isEqualTo(ExitCode.BAD);
        assertThat(differs.lines()).containsExactly("- queue more: concurrency 1");
        assertThat(prompt.typing(exported)
                        .must("policy", "apply", "-", "--prune", "--json")
                        .json()
                        .at("/changes/0/name")
                        .asString())
                .isEqualTo("more");
        assertThat(prompt.must("policy", "export", "--json").json().get("yaml").asString())
                .contains("\"tenant:*\":");
    }

    @Test
    void anOverrideIsSetShownAndEnded() {
        prompt.must("policy", "set", "gate", "api", "concurrency 8");
        assertThat(prompt.must("gate", "set", "api", "concurrency 1", "--until", "2040-01-31T09:00:00Z")
                        .lines())
                .containsExactly("gate api: concurrency 8", "until 2040-01-31T09:00:00Z: concurrency 1");
        assertThat(prompt.must("policy").out()).contains("gate api").contains("concurrency 1, ends in ");
        assertThat(prompt.must("gates").out()).contains("concurrency 1 (override, ends in ");
        assertThat(prompt.must("gate", "show", "api", "--json")
                        .json()
                        .get("overrideUntil")
                        .asString())
                .isEqualTo("2040-01-31T09:00:00Z");
        prompt.must("enqueue", "noop", "--gate", "api");
        assertThat(prompt.must("explain", "1", "--json")
                        .json()
                        .at("/gates/0/overrideUntil")
                        .asString())
                .isEqualTo("2040-01-31T09:00:00Z");
        assertThat(prompt.must("policy", "list", "--json")
                        .json()
                        .at("/policies/0/override/limits/0")
                        .asString())
                .isEqualTo("concurrency 1");
        assertThat(prompt.must("policy", "remove", "gate", "api", "--override").lines())
                .containsExactly("gate api: now limited by concurrency 8");
        Prompt.Answer none = prompt.run("policy", "remove", "gate", "api", "--override");
        assertThat(none.exit()).isEqualTo(ExitCode.BAD);
        assertThat(none.err()).contains("gate 'api': no override is stored under this name");
        assertThat(prompt.run("policy", "set", "gate", "api", "concurrency 1", "--until", "2020-01-01T00:00:00Z")
                        .err())
                .contains("expected an end in the future, got 2020-01-01T00:00:00Z");
    }

    @Test
    void historyTellsWhoAndWhyAndUndoTakesItBack() {
        prompt.must("policy", "set", "gate", "api", "concurrency 8", "--by", "ada", "--because", "launch");
        prompt.must("gate", "remove", "api");
        assertThat(prompt.must("policy", "history").lines().get(2))
                .containsPattern("1 +20.* ada +gate api +set +- +concurrency 8 +launch");
        String user = System.getProperty("user.name");
        assertThat(prompt.must("policy", "history", "--limit", "1").out())
                .contains(user)
                .contains("remove");
        assertThat(prompt.must("policy", "undo").lines())
                .containsExactly("~ gate api: - -> concurrency 8", "stored as version 3");
        assertThat(prompt.must("policy", "undo", "--to", "0", "--json")
                        .json()
                        .get("version")
                        .asLong())
                .isEqualTo(4);
        assertThat(prompt.must("policy").lines().getFirst()).startsWith("no policies");
        Prompt.Answer beyond = prompt.run("policy", "undo", "--to", "9");
        assertThat(beyond.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(beyond.err()).contains("expected a version from 0 to 3, got 9");
    }

    @Test
    void wrongWordsAreExplained() {
        prompt.must("policy", "set", "queue", "mail", "rate", "5/1s", "shadow", "concurrency", "3", "window", "9/1m");
        assertThat(prompt.must("policy", "list", "--json")
                        .json()
                        .at("/policies/0/limits")
                        .toString())
                .isEqualTo("[\"rate 5/1s burst 1\",\"window 9/1m\",\"shadow concurrency 3\"]");
        assertThat(prompt.run("policy", "set", "gates", "x", "concurrency 1").err())
                .contains("scope: expected queue, gate or type, got 'gates'");
        Prompt.Answer wrong = prompt.run("policy", "set", "gate", "x", "concurency 3");
        assertThat(wrong.err().lines()).hasSize(1);
        assertThat(wrong.err()).contains("unknown kind of limit 'concurency'").doesNotContain("at least one limit");
        assertThat(prompt.run("policy", "remove", "queue", "mial").err()).contains("did you mean 'mail'?");
        assertThat(prompt.run("policy", "aply", "x").err()).contains("did you mean 'apply'?");
        assertThat(prompt.run("policy", "history", "--limit", "0").exit()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void aJobTypeRequiresGates() throws IOException {
        assertThat(prompt.run("policy", "set", "type", "echo", "requires api").err())
                .contains("policy of type echo: expected gates that have limits, found no policy for 'api'");
        prompt.must("policy", "set", "gate", "api", "concurrency 3");
        assertThat(prompt.must("policy", "set", "type", "echo", "requires", "api")
                        .lines())
                .containsExactly("type echo: requires api");
        assertThat(prompt.run("enqueue", "echo").err())
                .contains(
                        "job of type 'echo': its policy requires api; expected a gate for each, found none for api (the job names no gate)");
        assertThat(prompt.run("schedule", "add", "s", "echo", "--every", "1h").err())
                .contains("its policy requires api");
        prompt.must("enqueue", "echo", "--gate", "api");
        assertThat(prompt.must("policy").out()).contains("type echo", "requires api");
        assertThat(prompt.must("policy", "--json").json().at("/policies/1").toString())
                .isEqualTo("{\"kind\":\"type\",\"name\":\"echo\",\"limits\":[\"requires api\"],\"override\":null}");
        Path file = folder.resolve("types.yaml");
        String exported = prompt.must("policy", "export").out();
        assertThat(exported).contains("types:\n  echo:\n    requires:\n      - api\n");
        Files.writeString(file, exported.replace("- api\n", "- api\n      - more\n"));
        assertThat(prompt.run("policy", "apply", file.toString()).err()).contains("no policy for 'more' among api");
        Files.writeString(file, exported);
        assertThat(prompt.must("policy", "diff", file.toString()).out()).doesNotContain("echo");
        Files.writeString(file, "types:\n  echo: { requires: [], limits: [] }\n  b: 3\n");
        assertThat(prompt.run("policy", "apply", file.toString()).err())
                .contains("unknown key 'limits'", "expected requires: […], found '3'");
        Files.writeString(file, "types:\n  echo:\n    defaults:\n      queue: llm\n");
        assertThat(prompt.run("policy", "apply", file.toString()).err())
                .contains("expected one text such as \"queue=llm gate=provider cost=5\", found a mapping");
        assertThat(prompt.must("policy", "remove", "type", "echo").lines())
                .containsExactly("type echo: now without a policy: no gate is required, and no defaults are stored");
        prompt.must("enqueue", "echo");
        prompt.must("policy", "undo");
        assertThat(prompt.run("enqueue", "echo").err()).contains("its policy requires api");
    }

    @Test
    void aJobTypeHasDefaults() throws IOException {
        prompt.must("policy", "set", "type", "echo", "defaults", "queue=llm", "gate=provider", "cost=5");
        prompt.must("enqueue", "echo", "--gate", "mine", "--cost", "2");
        assertThat(prompt.must("job", "1", "--json").out())
                .contains("\"queue\":\"llm\"", "\"gates\":[\"mine\",\"provider\"]", "\"cost\":2");
        Path file = folder.resolve("defaults.yaml");
        String exported = prompt.must("policy", "export").out();
        assertThat(exported).contains("    defaults: \"gate=provider queue=llm cost=5\"");
        Files.writeString(file, exported);
        assertThat(prompt.must("policy", "diff", file.toString()).out()).doesNotContain("echo");
        assertThat(prompt.run("policy", "set", "type", "echo", "defaults queue=a colour=b")
                        .err())
                .contains("at 'colour=b': expected each of gate, units, label, queue");
        assertThat(prompt.run("policy", "set", "type", "echo", "defaults attempts=0")
                        .err())
                .contains("at 'attempts=0': attempts: expected 1 to 1000000, got 0");
        assertThat(prompt.run("policy", "set", "type", "echo", "defaults retry=often")
                        .err())
                .contains("retry policy 'often': ", "expected a form such as none | fixed 5s");
        Files.writeString(file, exported.replace("cost=5", "retry=often"));
        assertThat(prompt.run("policy", "apply", file.toString()).err()).contains("retry policy 'often': ");
        assertThat(prompt.must("policy", "export").out()).isEqualTo(exported);
        assertThat(prompt.run("policy", "set", "gate", "g", "defaults queue=a").err())
                .contains("policy of a job type");
    }

    @Test
    void aPolicyThatEndsAJournalSaysSo() {
        String ends = "the journal of gate x ends: the new policy has no 'journal'";
        assertThat(prompt.must("gate", "set", "x", "window 5/1m", "journal 7d").out())
                .doesNotContain("journal of");
        assertThat(prompt.must("gate", "set", "x", "window 9/1m").lines()).endsWith("  " + ends);
        assertThat(prompt.must("gate", "set", "x", "window 9/1m").out()).doesNotContain(ends);
        prompt.must("gate", "set", "x", "window 9/1m", "journal 7d");
        assertThat(prompt.must("gate", "set", "x", "window 3/1m", "--until", "2h")
                        .out())
                .as("an override is about limits, the journal goes on")
                .doesNotContain(ends);
        prompt.must("queue", "set", "mail*", "journal 7d");
        assertThat(prompt.must("queue", "set", "mail:a", "concurrency 3").out())
                .contains("the journal of queue mail:a ends: the new policy has no 'journal'");
    }
}
