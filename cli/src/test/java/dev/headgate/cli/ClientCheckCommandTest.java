package dev.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The kit finds nothing wrong with our clients, and finds what is planted in copies of one. */
class ClientCheckCommandTest {
    private static final Path CLIENTS = Path.of("../clients");

    @TempDir
    Path folder;

    private static void assumeHere(String program) {
        boolean isHere;
        try {
            isHere = new ProcessBuilder(program, "--version")
                            .redirectErrorStream(true)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException | InterruptedException none) {
            isHere = false;
        }
        assumeTrue(isHere, program + " is needed");
    }

    @ParameterizedTest
    @CsvSource({"python3, python/conformance.py", "node, typescript/conformance.mjs"})
    void ourClientsPass(String program, String script) {
        assumeHere(program);
        Prompt.Answer answer = new Prompt(folder)
                .run("client-check", "--", program, CLIENTS.resolve(script).toString());
        assertThat(answer.out()).contains("24 of 24 checks passed");
        assertThat(answer.exit()).isEqualTo(ExitCode.OK);
    }

    /** A check, and what is changed in a copy of the Python client: texts, each followed by what takes its place. */
    private record Plant(String check, List<String> texts) {}

    private static Plant plant(String check, String... texts) {
        return new Plant(check, List.of(texts));
    }

    private static final List<Plant> PLANTS = List.of(
            plant("start", "\"lease\": \"%dms\" % (self._lease * 1000), **self._said()", "**self._said()"),
            plant("outcomes", "result=result", "result=None"),
            plant(
                    "slots",
                    "max(0, self._slots - self._busy - len(self._ended) + len(ended)) if is_open",
                    "self._slots if is_open"),
            plant("late-start", "lag > job._within / 1000", "False"),
            plant(
                    "late-start",
                    "self._take(ended, answer, sent, free)",
                    "self._take(ended, answer, time.monotonic(), free)"),
            plant("heartbeats", "time.sleep(pause)", "time.sleep(pause * 2.5)"),
            plant("heartbeats", "\"held\": held}\n            pause", "\"held\": []}\n            pause"),
            plant(
                    "heartbeat-apart",
                    "            worker, sent, before",
                    "            self._telling.acquire(); self._telling.release()\n            worker, sent, before",
                    "return self._call(\"POST\", \"/turn\"",
                    "with self._telling: return self._call(\"POST\", \"/turn\""),
            plant("stop", "self._held[id]._why = CANCELLED", "pass"),
            plant("notes", "        self._tell()\n        said", "        said"),
            plant("idle", "self._news.wait(0.05", "self._news.wait(0.01) or (0.05"),
            plant("wake", "self._may_wait.clear()\n                    self._news.set()", "self._may_wait.clear()"),
            plant("connections", "getattr(self._local, \"connection\", None)", "None"),
            plant(
                    "unknown-fields",
                    "leases = answer[\"leases\"]",
                    "leases = answer[\"leases\"]; assert len(answer) == 6"),
            plant("lost-grant", "except OSError as unreachable", "except BlockingIOError as unreachable"),
            plant(
                    "lost-answer",
                    "leases = answer[\"leases\"]",
                    "leases = answer[\"leases\"]; assert not answer[\"refused\"]"),
            plant(
                    "lost-request",
                    "trouble, least = repr(unreachable), 0",
                    "return None",
                    "ended = self._first(self._ended)",
                    "ended = self._first(self._ended); self._ended = {}"),
            plant("again", "ended.keys() - set(answer[\"again\"])", "ended.keys()"),
            plant("again", "bool(self._ended) and not answer[\"again\"]", "bool(self._ended)"),
            plant("refused-result", "refused.status not in (400, 413) or not ended", "refused.status != 0"),
            plant("back-off-503", "max(min(5.0, pause * 2), least)", "min(5.0, pause * 2)"),
            plant("back-off-429", "refused.status < 500 and refused.status != 429", "refused.status < 500"),
            plant("server-away", "max(min(5.0, pause * 2), least)", "0.01"),
            plant("lease-lost", "self._held, self._ended = {}, {}", "pass"),
            plant("lease-lost", "self._persist(self._register)\n        elif", "pass\n        elif"),
            plant("suspended", "self._held, self._ended = {}, {}", "pass"),
            plant("sigterm", "is_open = not self._stopping.is_set() and", "is_open ="),
            plant("sigterm", "self._call(\"DELETE\", \"\", timeout=2)", "pass"),
            plant("sigterm", "(signal.SIGINT, signal.SIGTERM)", "(signal.SIGINT,)"),
            plant(
                    "sigterm-away",
                    "(not self._held or time.monotonic() > self._end + 3)",
                    "time.monotonic() > self._end + 3"));

    @Test
    void whatIsPlantedInACopyIsFound() throws Exception {
        assumeHere("python3");
        try (ExecutorService plays = Executors.newFixedThreadPool(4)) {
            List<Future<Prompt.Answer>> answers = IntStream.range(0, PLANTS.size())
                    .mapToObj(i -> plays.submit(() -> play(PLANTS.get(i), folder.resolve("copy" + i))))
                    .toList();
            for (int i = 0; i < answers.size(); i++) {
                Prompt.Answer answer = answers.get(i).get();
                assertThat(answer.exit())
                        .as("%s: %s", PLANTS.get(i), answer.out())
                        .isEqualTo(ExitCode.BAD);
                assertThat(answer.json().get("checks").get(0).get("found").asString())
                        .isNotEmpty();
            }
        }
        assertThat(PLANTS.stream().map(Plant::check).distinct())
                .as("each check finds something")
                .hasSize(24);
    }

    private static Prompt.Answer play(Plant plant, Path copy) throws IOException {
        String client = Files.readString(CLIENTS.resolve("python/headgate.py"));
        for (int i = 0; i < plant.texts().size(); i += 2) {
            assertThat(client).contains(plant.texts().get(i));
            client = client.replace(plant.texts().get(i), plant.texts().get(i + 1));
        }
        Files.createDirectories(copy);
        Files.writeString(copy.resolve("headgate.py"), client);
        Files.copy(CLIENTS.resolve("python/conformance.py"), copy.resolve("conformance.py"));
        return new Prompt(copy)
                .run(
                        "client-check",
                        "--json",
                        "--only",
                        plant.check(),
                        "--",
                        "python3",
                        copy.resolve("conformance.py").toString());
    }

    @Test
    void aProgramThatDoesNotStartIsTold() {
        Prompt.Answer answer = new Prompt(folder).run("client-check", "--only", "start", "--", "./no-such-program");
        assertThat(answer.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(answer.err()).contains("expected a program that can be started, got './no-such-program'");
        assertThat(new Prompt(folder)
                        .run("client-check", "--only", "slot", "--", "x")
                        .err())
                .contains("--only: expected any of start, outcomes, slots")
                .contains("got 'slot'");
        assertThat(folder).isEmptyDirectory();
    }
}
