package dev.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.Headgate;
import dev.headgate.cli.process.TestServer;
import dev.headgate.cli.workers.BuiltInJobs;
import dev.headgate.job.JobType;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code headgate job --follow} beside a worker that runs the job meanwhile, on both stores. */
class FollowingTest {
    record Film(String name) {}

    private static final JobType<Film> CUT = JobType.of("cut", Film.class);

    @TempDir
    Path folder;

    /** Standard output, which opens a latch when these words have been written. */
    private static final class Listening extends StringWriter {
        private final String words;
        private final CountDownLatch heard = new CountDownLatch(1);

        Listening(String words) {
            this.words = words;
        }

        @Override
        public void write(String text, int from, int length) {
            super.write(text, from, length);
            if (getBuffer().indexOf(words) >= 0) {
                heard.countDown();
            }
        }
    }

    private static int follow(String url, Listening out) {
        CommandContext shell = new CommandContext(
                new PrintWriter(out),
                new PrintWriter(new StringWriter()),
                InputStream.nullInputStream(),
                Map.of("HEADGATE_STORE", url),
                Signals.NONE);
        return new Cli(shell, BuiltInJobs::register).run("job", "1", "--follow", "--json");
    }

    /** The handler goes on only when what it has told so far was printed. */
    private static List<JsonNode> followed(String url, boolean isGood) {
        Listening out = new Listening("\"percent\":50");
        try (Headgate headgate = Headgate.open(url)) {
            headgate.handle(CUT, (film, job) -> {
                job.log("loaded " + film.name());
                job.progress(50, "half");
                if (!out.heard.await(60, TimeUnit.SECONDS)) {
                    throw new AssertionError("expected the progress to be printed");
                }
                job.log("saved");
                if (!isGood) {
                    throw new IllegalStateException("disk full");
                }
            });
            headgate.worker("default").slots(1).start();
            headgate.enqueue(CUT, new Film("Metropolis"), job -> job.attempts(1));
            assertThat(follow(url, out)).isEqualTo(isGood ? ExitCode.OK : ExitCode.BAD);
        }
        JsonMapper mapper = JsonMapper.builder().build();
        return out.toString().lines().map(mapper::readTree).toList();
    }

    private static void hasToldEverything(List<JsonNode> events, String state) {
        assertThat(events).allMatch(event -> event.get("id").asInt() == 1);
        assertThat(events)
                .filteredOn(event -> event.get("event").asString().equals("log"))
                .extracting(event -> event.get("text").asString())
                .containsExactly("loaded Metropolis", "saved");
        assertThat(events)
                .filteredOn(event -> event.get("event").asString().equals("progress"))
                .extracting(event -> event.get("message").asString())
                .containsExactly("half");
        assertThat(events.getLast().get("event").asString()).isEqualTo("ended");
        assertThat(events.getLast().get("state").asString()).isEqualTo(state);
        assertThat(events.getLast().at("/payload/name").asString()).isEqualTo("Metropolis");
    }

    @Test
    void onSqliteEverythingIsToldBeforeTheEnd() {
        hasToldEverything(followed(new Prompt(folder).url(), true), "succeeded");
    }

    @Test
    void onPostgresEverythingIsToldBeforeTheEndAndABadOneIsBad() throws Exception {
        List<JsonNode> events = followed(TestServer.freshDatabase(), false);
        hasToldEverything(events, "failed");
        assertThat(events)
                .filteredOn(event -> event.get("event").asString().equals("attempt"))
                .extracting(event ->
                        event.get("error").asString().lines().findFirst().orElseThrow())
                .containsExactly("java.lang.IllegalStateException: disk full");
    }

    @Test
    void anUnknownJobIsSaidToBeOne() {
        Prompt prompt = new Prompt(folder);
        prompt.must("enqueue", "noop");
        Prompt.Answer answer = prompt.run("job", "2", "--follow");
        assertThat(answer.exit()).isEqualTo(ExitCode.BAD);
        assertThat(answer.err()).contains("job 2");
        assertThat(answer.out()).isEmpty();
    }
}
