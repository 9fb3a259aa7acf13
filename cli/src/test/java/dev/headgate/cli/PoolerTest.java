package dev.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.cli.process.Pooler;
import dev.headgate.cli.process.TestServer;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands on PostgreSQL through PgBouncer in transaction mode. */
class PoolerTest {
    @TempDir
    Path folder;

    private String direct;
    private Prompt prompt;

    @BeforeEach
    void open() {
        Pooler.require();
        direct = TestServer.freshDatabase();
        prompt = new Prompt(folder).with("HEADGATE_STORE", Pooler.url(direct));
    }

    @Test
    void theCommandsWorkThroughAPooler() {
        prompt.must("gate", "set", "tenant:*", "concurrency 2", "rate 200/1s burst 5");
        assertThat(prompt.must("enqueue", "echo", "{\"n\":1}", "--gate", "tenant:a", "--count", "20")
                        .lines())
                .hasSize(20);
        assertThat(prompt.must("work", "--once", "--listen", direct).lines())
                .contains("stopped: 20 jobs returned, 0 threw");
        assertThat(prompt.must("status").lines())
                .anyMatch(line -> line.matches("PostgreSQL .*, through a pooler.*"))
                .anyMatch(line -> line.matches("default +0 +0 +0 +0 +0 +20 +0 +0 +0 +-"));
    }

    @Test
    void theDoctorSaysWhetherListeningWorks() {
        prompt.must("gate", "set", "api", "concurrency 1"); // the doctor makes no store
        Prompt.Answer deaf = prompt.run("doctor");
        assertThat(deaf.exit()).as("it may be on purpose").isZero();
        assertThat(deaf.lines())
                .anyMatch(line -> line.matches("listening +note .*nothing listens there.*HEADGATE_LISTEN.*"));
        assertThat(prompt.must("doctor", "--listen", direct).lines())
                .anyMatch(line -> line.matches("listening +ok +a notification of this process to itself was heard.*"));
        Prompt.Answer wrong =
                new Prompt(folder).with("HEADGATE_STORE", direct).run("doctor", "--listen", Pooler.url(direct));
        assertThat(wrong.exit()).isEqualTo(ExitCode.BAD);
        assertThat(wrong.lines()).anyMatch(line -> line.matches("listening +problem .*the URL to listen at.*"));
        assertThat(new Prompt(folder)
                        .with("HEADGATE_STORE", direct)
                        .must("doctor")
                        .lines())
                .anyMatch(line -> line.matches("listening +ok .*"));
    }

    @Test
    void aFileHasNoPlaceToListenAt() {
        Prompt file = new Prompt(folder).with("HEADGATE_LISTEN", direct);
        file.must("enqueue", "noop");
        Prompt.Answer refused = file.run("status", "--listen", direct);
        assertThat(refused.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(refused.err()).contains("expected no second URL to listen at");
    }
}
