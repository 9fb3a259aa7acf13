package dev.headgate.examples;

import static dev.headgate.limit.Limit.budget;
import static dev.headgate.limit.Limit.concurrency;
import static dev.headgate.limit.Limit.rate;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headgate.Headgate;
import dev.headgate.JobOptions;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobType;
import dev.headgate.limit.Pause;
import dev.headgate.testkit.TestHeadgate;
import dev.headgate.testkit.junit.HeadgateExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Holds what docs/troubleshooting.md quotes to what is said. */
@ExtendWith(HeadgateExtension.class)
class TroubleshootingTest {
    record Nothing() {}

    static final JobType<Nothing> ECHO = JobType.of("echo", Nothing.class);
    static final JobType<Nothing> SEND_MAIL = JobType.of("send-mail", Nothing.class);

    private Headgate headgate;
    private String page;

    @BeforeEach
    void read(TestHeadgate test) throws IOException {
        headgate = test.headgate();
        headgate.handle(ECHO, (nothing, job) -> {});
        Path root = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(root.resolve(".mvn"))) {
            root = root.getParent();
        }
        page = Files.readString(root.resolve("docs/troubleshooting.md"));
    }

    private JobId enqueue(Consumer<JobOptions> options) {
        return headgate.enqueue(ECHO, new Nothing(), options).id();
    }

    /** The page quotes the beginning of what is said about the job. */
    private void quoted(JobId id, String beginning) {
        assertThat(headgate.explain(id).summary()).startsWith(beginning);
        assertThat(page).contains("`" + beginning);
    }

    @Test
    void noWorker() {
        quoted(enqueue(job -> job.queue("mail")), "waiting: no worker serves queue mail; first in its lane");
    }

    @Test
    void limits(TestHeadgate test) {
        headgate.policies()
                .gate("provider", gate -> gate.limit(rate(2).per(ofMinutes(1)).burst(1)))
                .gate("reports", gate -> gate.limit(concurrency(2)));
        headgate.worker("default").start();
        enqueue(job -> job.gate("provider"));
        JobId late = enqueue(job -> job.gate("provider"));
        JobId last = late;
        for (int i = 0; i < 3; i++) {
            last = enqueue(job -> job.gate("reports"));
        }
        test.claim();
        quoted(late, "waiting at gate provider: 0 of 1 tokens (rate 2/1m burst 1)");
        quoted(last, "waiting at gate reports: 2 of 2 in use (concurrency 2)");
    }

    @Test
    void byHand() {
        headgate.worker("default").start();
        headgate.controls().hold("provider", ofMinutes(10), "maintenance");
        quoted(enqueue(job -> job.gate("provider")), "waiting at gate provider: held: maintenance (hold)");
        headgate.controls().pause(Pause.queue("default"), "wrong data");
        quoted(enqueue(job -> {}), "waiting: queue default is paused");
    }

    @Test
    void parked(TestHeadgate test) {
        JobId id = headgate.enqueue(SEND_MAIL, new Nothing()).id();
        headgate.worker("default").start();
        test.run();
        test.assertThat(id).is(JobState.PARKED);
        quoted(id, "parked (UNKNOWN_HANDLER): no handler for 'send-mail' on worker ");
    }

    @Test
    void aMismatch() {
        headgate.policies().gate("gpu", gate -> gate.limit(budget(4)));
        String message =
                "can never pass gate gpu, it costs 5 units, the budget is 4; lower its cost or raise the limit (budget 4)";
        assertThatIllegalArgumentException()
                .isThrownBy(() -> enqueue(job -> job.gate("gpu").cost(5)))
                .withMessageContaining(message);
        assertThat(page).contains("`" + message + "`");
    }

    @Test
    void others() {
        JobId first = enqueue(job -> job.queue("mail"));
        JobId second = enqueue(job -> job.after(first));
        assertThat(headgate.explain(second).summary()).startsWith("waiting for job " + first + " (queued)");
        assertThat(page).contains("`waiting for job ");
    }
}
