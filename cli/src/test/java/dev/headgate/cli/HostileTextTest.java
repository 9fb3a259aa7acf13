package dev.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.cli.process.TestServer;
import dev.headgate.handler.PermanentFailure;
import dev.headgate.job.JobType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Stored text that would drive a terminal, forge a line or end a statement, through every command. */
class HostileTextTest {
    /** Names that may be stored: quotes of every kind, wildcards, what turns the reading direction, what takes no room. */
    static final List<String> NAMES = List.of(
            "'; drop table headgate_job; --",
            "\"x\" or 1=1",
            "\\'; select 1; \\",
            "$$; select pg_sleep(9); $$",
            ":queue ?1 {x} %s %n",
            "100%_?[a-z]",
            "a\u202egpj.exe",
            "a\u2066b\u2069",
            "a\u200bb\ufeffc",
            "a\u2028b\u2029c",
            "日本語 🦊",
            "{\"json\":[1]}",
            "@file",
            "null");

    /** Names that no store keeps faithfully: refused, and told without doing what they say. */
    private static final List<String> REFUSED =
            List.of("a\u001b[2Jb", "a\rb", "a\nheadgate: forged", "a\u0000b", "a\u009b31mb", "a\u0007", "\u007f");

    /** For errors and log lines, which may be anything. */
    private static final String TEXT =
            "boom\u001b]0;owned\u0007\u001b[2J\rforged: all is well\nforged: second\u2028forged\u009b31m\u202egnp\u0000\ud800 end";

    @TempDir
    Path folder;

    @Test
    void isShownHarmlesslyOnSqlite() {
        walk(new Prompt(folder));
    }

    @Test
    void isShownHarmlesslyOnPostgres() {
        walk(new Prompt(folder).with("HEADGATE_STORE", TestServer.freshDatabase()));
    }

    private static void walk(Prompt prompt) {
        for (String name : NAMES) {
            prompt.must("gate", "set", "--", name, "concurrency 5");
            prompt.must("queue", "set", "--", name, "concurrency 5");
            prompt.must(
                    "enqueue", "--queue=" + name, "--gate=" + name, "--dedup=" + name, "--", name, "\"" + "x" + "\"");
            prompt.must("schedule", "add", "--every=1h", "--queue=" + name, "--", name, name);
        }
        for (String name : REFUSED) {
            for (String[] command : new String[][] {
                {"enqueue", "--queue=" + name, "noop"},
                {"enqueue", "--gate=" + name, "noop"},
                {"enqueue", "--dedup=" + name, "noop"},
                {"enqueue", name},
                {"gate", "set", name, "concurrency 1"},
                {"work", "--once", "--name", name},
                {"schedule", "add", name, "noop", "--every", "1h"},
            }) {
                Prompt.Answer answer = prompt.run(command);
                assertThat(answer.exit()).as(answer.toString()).isEqualTo(ExitCode.USAGE);
                checkHarmless(command, answer.out() + answer.err());
            }
        }
        assertThat(prompt.must("jobs", "--limit", "1000", "--json")
                        .json()
                        .get("jobs")
                        .size())
                .as("nothing more, nothing less")
                .isEqualTo(NAMES.size());
        namesComeBackAsTheyWere(prompt);
        everyCommandShowsThemHarmlessly(prompt);
    }

    private static void namesComeBackAsTheyWere(Prompt prompt) {
        for (String name : NAMES) {
            JsonNode jobs = prompt.must("jobs", "--json", "--queue=" + name, "--type=" + name)
                    .json()
                    .get("jobs");
            assertThat(jobs.size()).as(name).isEqualTo(1);
            assertThat(jobs.at("/0/queue").asString()).isEqualTo(name);
            assertThat(jobs.at("/0/gates/0").asString()).isEqualTo(name);
            assertThat(jobs.at("/0/dedup").asString()).isEqualTo(name);
            assertThat(prompt.must("gate", "show", "--json", "--", name)
                            .json()
                            .get("name")
                            .asString())
                    .isEqualTo(name);
        }
    }

    private static void everyCommandShowsThemHarmlessly(Prompt prompt) {
        List<String[]> commands = new ArrayList<>(List.of(
                new String[] {"status"},
                new String[] {"figures"},
                new String[] {"queues"},
                new String[] {"gates"},
                new String[] {"backlog"},
                new String[] {"types"},
                new String[] {"jobs", "--limit", "100"},
                new String[] {"policy"},
                new String[] {"policy", "export"},
                new String[] {"policy", "history"},
                new String[] {"schedule"},
                new String[] {"workflow"},
                new String[] {"verify-history"},
                new String[] {"doctor"}));
        for (int id = 1; id <= NAMES.size(); id++) {
            commands.add(new String[] {"job", Integer.toString(id)});
            commands.add(new String[] {"explain", Integer.toString(id)});
        }
        for (String name : NAMES) {
            commands.add(new String[] {"gate", "show", "--", name});
            commands.add(new String[] {"queue", "show", "--", name});
            commands.add(new String[] {"schedule", "show", "--", name});
            commands.add(new String[] {"jobs", "--queue=" + name + "?"});
            commands.add(new String[] {"gate", "remove", "--", name + "?"});
        }
        for (String[] command : commands) {
            for (String json : List.of("", "--json")) {
                String[] whole = new String[command.length + (json.isEmpty() ? 0 : 1)];
                System.arraycopy(command, 0, whole, whole.length - command.length, command.length);
                if (!json.isEmpty()) {
                    whole[0] = json;
                }
                Prompt.Answer answer = prompt.run(whole);
                assertThat(answer.exit()).as(answer.toString()).isIn(ExitCode.OK, ExitCode.BAD);
                checkHarmless(whole, answer.out() + answer.err());
            }
        }
    }

    /** What handlers throw, log and report is theirs to choose. */
    @Test
    void whatHandlersSayIsShownHarmlessly() throws Exception {
        Prompt prompt = new Prompt(folder);
        prompt.must("enqueue", "talk", "--attempts", "1");
        prompt.must("enqueue", "talk", "--attempts", "1");
        try (var headgate = prompt.open()) {
            headgate.handle(JobType.of("talk", Object.class), (payload, job) -> {
                job.log(TEXT);
                job.progress(5, TEXT);
                if (job.id().value() == 1) {
                    throw new PermanentFailure(TEXT);
                }
                throw new IllegalStateException(TEXT, new IllegalArgumentException(TEXT));
            });
            var worker = headgate.worker("default").name("w \u202e").start();
            assertThat(worker.awaitIdle(java.time.Duration.ofMinutes(2))).isTrue();
            worker.stop();
        }
        for (String[] command : new String[][] {
            {"job", "1"},
            {"job", "2"},
            {"jobs"},
            {"explain", "1"},
            {"explain", "2"},
            {"status"},
            {"job", "1", "--json"},
            {"jobs", "--json"},
            {"explain", "2", "--json"}
        }) {
            Prompt.Answer answer = prompt.must(command);
            checkHarmless(command, answer.out() + answer.err());
        }
        assertThat(prompt.must("job", "1").out()).contains("boom\\u001b]0;owned");
    }

    private static void checkHarmless(String[] command, String shown) {
        String what = String.join(" ", command).replace('\u001b', '^') + " showed " + shown.replace('\u001b', '^');
        shown.codePoints().forEach(c -> {
            int type = Character.getType(c);
            boolean isHarmless = c == '\n'
                    || !(Character.isISOControl(c)
                            || type == Character.FORMAT
                            || type == Character.LINE_SEPARATOR
                            || type == Character.PARAGRAPH_SEPARATOR
                            || type == Character.SURROGATE);
            assertThat(isHarmless).as("U+%04X in: %s", c, what).isTrue();
        });
        assertThat(shown.lines()).as(what).noneMatch(line -> line.startsWith("forged"));
    }
}
