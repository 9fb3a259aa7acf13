package dev.headgate.server;

import static dev.headgate.server.ServerRig.json;
import static dev.headgate.server.ServerRig.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.job.JobId;
import dev.headgate.job.JobType;
import dev.headgate.server.RawHttp.Answer;
import dev.headgate.server.token.Right;
import dev.headgate.server.token.TokenRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code Prefer: wait}: a request is answered once its job has ended. */
abstract class WaitContract {
    private static final JobType<Object> SEND = JobType.of("send", Object.class);
    private static final String JOB = "{\"type\":\"send\",\"queue\":\"mail\"}";

    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private String url = "";
    private ServerRig rig;

    abstract String freshStore();

    @BeforeEach
    void start() {
        url = freshStore();
        rig = new ServerRig(url, "");
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    private void work() {
        rig.headgate.handleWithResult(SEND, (payload, job) -> {
            mayEnd.await();
            return "sent";
        });
        rig.headgate.worker("mail").slots(50).start();
    }

    private Answer ask(String method, String path, String body, String... headers) throws IOException {
        Map<String, String> all = new HashMap<>(Map.of("Content-Type", "application/json"));
        for (int i = 0; i < headers.length; i += 2) {
            all.put(headers[i], headers[i + 1]);
        }
        return rig.send(method, path, rig.admin, body, all);
    }

    @Test
    void anEnqueueIsAnsweredWithTheResult() throws Exception {
        work();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Answer> waiting = threads.submit(
                    () -> ask("POST", "/v1/jobs", JOB, "Prefer", "respond-async, wait=25", "Idempotency-Key", "k"));
            mayEnd.countDown();
            Answer answer = waiting.get();
            assertThat(answer.status()).isEqualTo(201);
            assertThat(answer.header("preference-applied")).isEqualTo("wait=25");
            assertThat(json(answer).get("job").get("state").asString()).isEqualTo("succeeded");
            assertThat(json(answer).get("job").get("result").asString()).isEqualTo("sent");
            Answer again = ask("POST", "/v1/jobs", JOB, "Prefer", "wait=25", "Idempotency-Key", "k");
            assertThat(again.body()).isEqualTo(answer.body());
            assertThat(again.header("idempotency-replayed")).isEqualTo("true");
        }
    }

    @Test
    void aJobThatDoesNotEndInTimeIsShownAsItIs() throws IOException {
        Answer answer = ask("POST", "/v1/jobs", JOB, "Prefer", "wait=1");
        assertThat(answer.status()).isEqualTo(201);
        assertThat(json(answer).get("job").get("state").asString()).isEqualTo("queued");
        Answer got = ask("GET", "/v1/jobs/" + json(answer).get("id"), "", "Prefer", "wait=0");
        assertThat(json(got).get("state").asString()).isEqualTo("queued");
        assertThat(got.header("preference-applied")).isEqualTo("wait=0");
    }

    /** Also if they end elsewhere: they are cancelled by way of another server of the store. */
    @Test
    void manyWaitAtOnce() throws Exception {
        List<JobId> ids = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            ids.add(rig.headgate
                    .enqueueJson("send", "{}", job -> job.queue("mail"))
                    .id());
        }
        try (ServerRig other = new ServerRig(url, "");
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Answer>> waiting = new ArrayList<>();
            for (JobId id : ids) {
                waiting.add(threads.submit(() -> ask("GET", "/v1/jobs/" + id, "", "Prefer", "wait=25")));
            }
            ids.forEach(other.headgate::cancel);
            for (Future<Answer> each : waiting) {
                assertThat(json(each.get()).get("state").asString()).isEqualTo("cancelled");
            }
        }
    }

    @Test
    void waitingNeedsTheRightToReadAndANumber() throws IOException {
        String blind = rig.token(TokenRequest.named("blind").right(Right.ENQUEUE));
        Answer refused = rig.send(
                "POST", "/v1/jobs", blind, JOB, Map.of("Content-Type", "application/json", "Prefer", "wait=1"));
        assertThat(problem(refused)).isEqualTo("missing-right");
        assertThat(problem(ask("POST", "/v1/jobs", JOB, "Prefer", "wait=soon"))).isEqualTo("bad-header");
        assertThat(problem(ask("POST", "/v1/jobs", JOB, "Prefer", "wait"))).isEqualTo("bad-header");
        assertThat(json(rig.get("/v1/jobs")).get("jobs")).isEmpty();
        Answer passedOver = ask("POST", "/v1/jobs", JOB, "Prefer", "return=minimal");
        assertThat(json(passedOver).has("job")).isFalse();
    }
}
