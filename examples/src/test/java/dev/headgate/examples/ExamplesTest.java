package dev.headgate.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.Headgate;
import dev.headgate.job.JobId;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs every example as a newcomer would and looks at what it prints. */
class ExamplesTest {
    @TempDir
    Path folder;

    private interface Program {
        void run(String[] args) throws Exception;
    }

    /** What the program prints on a fresh SQLite file. */
    private List<String> run(Program program) throws Exception {
        return printed(() -> program.run(new String[] {"jdbc:sqlite:" + folder.resolve("example.db")}));
    }

    private interface Action {
        void run() throws Exception;
    }

    private static List<String> printed(Action action) throws Exception {
        PrintStream before = System.out;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PrintStream caught = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
            System.setOut(caught);
            action.run();
        } finally {
            System.setOut(before);
        }
        return bytes.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @Test
    void helloHeadgate() throws Exception {
        assertThat(run(HelloHeadgate::main))
                .containsExactly(
                        "waiting: no worker serves queue default; first in its lane",
                        "acme asks: what is a headgate?",
                        "job 1: SUCCEEDED");
    }

    @Test
    void licenceSeats() throws Exception {
        assertThat(run(LicenceSeats::main)).containsExactly("seats free meanwhile: 0", "seats free: yes");
    }

    @Test
    void roomForJobs() throws Exception {
        assertThat(run(RoomForJobs::main))
                .containsExactly(
                        "waiting: too big for every known worker: needs gpu 1, memory 8 MB;"
                                + " worker W (worker) has no gpu, or its gauge does not answer (then its log says why);"
                                + " first in its lane",
                        "rendered the flood",
                        "rendered the drought",
                        "SUCCEEDED");
    }

    @Test
    void waitForOthers() throws Exception {
        assertThat(run(WaitForOthers::main))
                .contains("waiting for job 1 (queued), job 2 (queued), job 3 (queued)")
                .contains("page 1 of example.com, page 2 of example.com, and 1 missing")
                .containsSubsequence("tell the editors", "draft", "review", "publish");
    }

    @Test
    void followTheLoad() throws Exception {
        assertThat(run(FollowTheLoad::main))
                .containsExactly(
                        "mail: 10 could start, 0 blocked",
                        "reports: 2 could start, 8 blocked",
                        "begins with 2 slots",
                        "left: 0");
    }

    @Test
    void serveTheApi() throws Exception {
        List<String> lines = run(ServeTheApi::main);
        assertThat(lines.getFirst()).startsWith("http://127.0.0.1:");
        assertThat(lines.getLast()).isEqualTo("{\"id\":1,\"new\":true}");
    }

    @Test
    void workThatRecurs() throws Exception {
        assertThat(run(WorkThatRecurs::main))
                .containsExactly(
                        "report on all for 2026-01-01T09:00:00Z", "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z");
    }

    @Test
    void manyAtOnce() throws Exception {
        assertThat(run(ManyAtOnce::main)).contains("99 succeeded, 1 failed, in fewer calls: true");
    }

    @Test
    void shipAnOrder() throws Exception {
        assertThat(run(ShipAnOrder::main))
                .containsExactly(
                        "[label of books, label of lamp]",
                        "released order-8",
                        "sorry: step 'hand-over': dev.headgate.handler.PermanentFailure: nobody has paid for order-8",
                        "FAILED",
                        "BUDGET_EXCEEDED: step 'hand-over': maxCostUnits is 3, used are 3, this asks for 1 more",
                        "SUCCEEDED",
                        "true");
    }

    @Test
    void followAnOrder() throws Exception {
        assertThat(run(FollowAnOrder::main))
                .containsExactly(
                        "done Order[id=order-7, cents=4200, paidCents=4200, parcel=parcel of order-7]",
                        "STARTED new",
                        "IGNORED new: pay: no guard in state 'new' lets it pass",
                        "SIGNALLED new: pay (payment-12)",
                        "ENTERED paid/pack",
                        "ENTERED paid",
                        "SIGNALLED paid: shipped",
                        "ENTERED done",
                        "SUCCEEDED done",
                        "refunded 10",
                        "refunded");
    }

    @Test
    void researchAgent() throws Exception {
        List<String> lines = run(ResearchAgent::main);
        assertThat(lines)
                .startsWith("runs [1, 2]")
                .contains("acme: 5 findings, report of 201 characters", "globex: 5 findings, report of 201 characters")
                .anyMatch(line -> line.matches("budget of research for acme, run 1, SUCCEEDED"))
                .anyMatch(line -> line.matches(" +maxCostUnits +[0-9]+ of +1,000"))
                .anyMatch(line -> line.matches(" +maxChildRuns +1 of +5"));
        assertThat(lines.getLast())
                .matches("provider: [0-9]+ calls, at most [1-3] at once, [1-9][0-9]* pushed back, 0 of them .*");
        assertThat(run(ResearchAgent::main))
                .as("a second start finds the runs that have ended")
                .contains("acme: 5 findings, report of 201 characters")
                .last()
                .asString()
                .startsWith("provider: 0 calls");
    }

    @Test
    void siteCrawler() throws Exception {
        assertThat(run(SiteCrawler::main))
                .startsWith("runs [1]", "11 pages, 12 artifacts", "200 http://garden.example/ About garden.example/")
                .contains("404 http://garden.example/missing ")
                .anyMatch(line -> line.matches("requests at once: \\{garden.example=[12], kitchen.example=[12]}"))
                .anyMatch(line -> line.matches(" +maxFanOutItems +11 of +50"));
    }

    @Test
    void limitsWithoutJobs() throws Exception {
        assertThat(run(LimitsWithoutJobs::main))
                .containsExactly(
                        "called",
                        "called",
                        "denied: 2 of 2 in the last 1m (window 2/1m)",
                        "free beside it: 2",
                        "next: now");
    }

    @Test
    void rateLimitedApi() throws Exception {
        List<String> lines = run(RateLimitedApi::main);
        assertThat(lines).hasSize(21);
        assertThat(lines.getFirst()).isEqualTo("tenant:acme  answer to 'sum up this ticket'");
        assertThat(lines.getLast()).matches("at most [1-5] calls at once, 0 refused");
    }

    @Test
    void transactionalEnqueue() throws Exception {
        assertThat(run(TransactionalEnqueue::main))
                .containsExactly(
                        "before the commit: false",
                        "after the commit: true",
                        "after a rollback: false",
                        "runs: 1",
                        "runs: 2, schedules: 0");
    }

    @Test
    void transactionalEnqueueOnPostgres() throws Exception {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start()) {
            assertThat(printed(() -> TransactionalEnqueue.onDataSource(postgres.getPostgresDatabase())))
                    .containsExactly(
                            "before the commit: false",
                            "after the commit: true",
                            "after a rollback: false",
                            "runs: 1",
                            "runs: 2, schedules: 0");
        }
    }

    @Test
    void retriesAndPermanentFailures() throws Exception {
        assertThat(run(RetriesAndPermanentFailures::main))
                .containsExactly(
                        "SUCCEEDED after attempt 1",
                        "SUCCEEDED after attempt 3",
                        "  attempt 1 retried: java.io.IOException: the bank did not answer",
                        "  attempt 2 retried: java.io.IOException: the bank did not answer",
                        "SUCCEEDED after attempt 2",
                        "  attempt 1 retried: dev.headgate.handler.RetryLater: the bank asked to come back",
                        "FAILED after attempt 1",
                        "  attempt 1 failed: dev.headgate.handler.PermanentFailure: the card is blocked",
                        "redriven: 1",
                        "SUCCEEDED after attempt 1",
                        "  attempt 1 failed: dev.headgate.handler.PermanentFailure: the card is blocked");
    }

    @Test
    void explainAWait() throws Exception {
        List<String> lines = run(ExplainAWait::main);
        assertThat(lines)
                .startsWith(
                        "waiting: no worker serves queue attic; first in its lane",
                        "waiting at gate printer: 1 of 1 in use (concurrency 1); first in its lane",
                        "  gate printer [concurrency 1]: gate printer: 1 of 1 in use (concurrency 1)");
        assertThat(lines.get(3))
                .startsWith("waiting at gate mail: 0 of 1 tokens (rate 1/1h burst 1); first in its lane; not before ");
    }

    @Test
    void labelsAndHeaders() throws Exception {
        assertThat(run(LabelsAndHeaders::main))
                .containsExactly(
                        "trace 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                        "SUCCEEDED",
                        "2 {campaign=spring, team=mail, tenant=acme}",
                        "1 {campaign=spring, team=mail, tenant=acme}");
    }

    @Test
    void optionsOfAJob() throws Exception {
        assertThat(run(OptionsOfAJob::main))
                .containsExactly(
                        "new: true, then false; same job: true",
                        "7: report of month 6",
                        "6: report of month 5",
                        "5: report of month 4",
                        "4: report of month 3",
                        "3: due later",
                        "2: due later",
                        "1: due later");
    }

    @Test
    void reportProgress() throws Exception {
        assertThat(run(ReportProgress::main))
                .containsExactly("SUCCEEDED", "imported 4 pages of catalogue.csv", "an older attempt may write: false");
    }

    /** In a process of its own, because it ends by a signal. */
    @Test
    void serveUntilStopped() throws Exception {
        String url = "jdbc:sqlite:" + folder.resolve("example.db");
        try (Headgate headgate = Headgate.open(url)) {
            JobId id = headgate.enqueue(ServeUntilStopped.GREET, new ServeUntilStopped.Greeting("you"))
                    .id();
            Process process = start(ServeUntilStopped.class, url);
            try {
                assertThat(process.inputReader().readLine()).isEqualTo("hello you");
                assertThat(headgate.await(id, Duration.ofMinutes(2))).isPresent();
                process.destroy();
                assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
                assertThat(headgate.overview().workers()).isEmpty();
            } finally {
                process.destroyForcibly();
            }
        }
    }

    private static Process start(Class<?> program, String argument) throws IOException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName(),
                argument);
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
