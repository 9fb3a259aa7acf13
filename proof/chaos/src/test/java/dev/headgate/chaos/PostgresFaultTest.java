package dev.headgate.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.headgate.Headgate;
import dev.headgate.chaos.Load.Manner;
import dev.headgate.chaos.Load.Work;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.postgres.PostgresBackend;
import dev.headgate.spi.Backend.Subscription;
import dev.headgate.spi.Wake;
import dev.headgate.store.StoreUnavailableException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PostgresFaultTest implements FaultContract {
    private static final Duration RESUMED_WITHIN = Duration.ofSeconds(30);

    @TempDir
    static Path data;

    private static Server server;
    private static Proxy proxy;
    private static int databases;

    @BeforeAll
    static void start() {
        server = Server.fresh(data.resolve("server"));
        proxy = new Proxy(server.port());
    }

    @AfterAll
    static void stop() throws InterruptedException {
        proxy.close();
        server.close();
    }

    @Override
    public String freshStore() throws SQLException {
        return url(proxy.port());
    }

    private static String url(int port) throws SQLException {
        String name = "jobs" + ++databases;
        server.tell("create database " + name);
        return Server.url(port, name);
    }

    @Test
    void aSpentBucketStaysSpentThroughACrashOfTheServer(@TempDir Path folder) throws Exception {
        try (Scene scene = new Scene(freshStore(), folder)) {
            scene.headgate()
                    .policies()
                    .replacing()
                    .gate(Load.API, gate -> gate.limits("rate 5/1h burst 5 margin none"));
            scene.worker();
            List<JobId> jobs = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                jobs.add(scene.ask(1, 1, Manner.PLAIN));
            }
            for (JobId job : jobs.subList(0, 5)) {
                scene.await(job);
            }
            server.crash();
            server.start();

            // A job that needs no token shows that the worker is back.
            Headgate headgate = scene.headgate();
            Scene.await("the store again", () -> tries(() -> headgate.overview()));
            JobId free =
                    headgate.enqueue(Load.WORK, new Work(7, 1, 1, Manner.PLAIN)).id();
            assertThat(scene.await(free).state()).isEqualTo(JobState.SUCCEEDED);
            assertThat(headgate.overview().gates())
                    .filteredOn(gate -> gate.key().name().equals(Load.API))
                    .singleElement()
                    .satisfies(gate -> assertThat(gate.tokens())
                            .singleElement()
                            .satisfies(tokens -> assertThat(tokens.now()).isZero()));
            assertThat(scene.find(jobs.getLast()).leases().epoch())
                    .as("has not started")
                    .isZero();
        }
    }

    private static boolean tries(Runnable action) {
        try {
            action.run();
            return true;
        } catch (StoreUnavailableException away) {
            return false;
        }
    }

    @Test
    void anEnqueueWhoseAnswerWasLostIsThereOnceAndSaysSo() throws Exception {
        try (Headgate headgate = Headgate.open(freshStore())) {
            for (int n = 1; n <= 20; n++) {
                Work work = new Work(n, 1, 1, Manner.PLAIN);
                proxy.swallowCommits(1);
                assertThatExceptionOfType(StoreUnavailableException.class)
                        .isThrownBy(() -> headgate.enqueue(Load.WORK, work))
                        .withMessageContaining("may or may not");
                assertThat(headgate.list(JobFilter.all())).hasSize(n);
            }
        }
    }

    @Test
    void turnsWhoseAnswersAreLostLoseNothing(@TempDir Path folder) throws Exception {
        long before = proxy.swallowed();
        try (Scene scene = new Scene(freshStore(), folder)) {
            scene.worker();
            for (int i = 0; i < 60; i++) {
                scene.askInDoubt(30);
                if (i % 4 == 0) {
                    proxy.swallowCommits(1);
                }
            }
            Scene.await("15 lost answers", () -> proxy.swallowed() >= before + 15);
            for (JobStatus job : scene.headgate().list(JobFilter.all())) {
                assertThat(scene.await(job.id()).state()).isEqualTo(JobState.SUCCEEDED);
            }
            assertThat(scene.judge().findings()).isEmpty();
        }
    }

    @Test
    void aWorkerWhoseConnectionsFallSilentGoesOn(@TempDir Path folder) throws Exception {
        try (Scene scene = new Scene(freshStore(), folder)) {
            scene.worker();
            for (int i = 0; i < 20; i++) {
                scene.askInDoubt(100);
            }
            scene.await(scene.ask(1, 1, Manner.PLAIN));
            assertThat(proxy.silence(new Random(1), 100)).isPositive();
            long silent = System.nanoTime();

            try (Headgate fresh = Headgate.open(Server.url(proxy.port(), "jobs" + databases))) {
                JobId job = fresh.enqueue(Load.WORK, new Work(7, 1, 1, Manner.PLAIN))
                        .id();
                assertThat(fresh.await(job, Scene.PATIENCE)).isPresent();
                Duration resumed = Duration.ofNanos(System.nanoTime() - silent);
                System.out.println("resumed after " + resumed.toMillis() + " ms");
                assertThat(resumed).isLessThan(RESUMED_WITHIN);
            }
        }
    }

    @Test
    void aListenerWhoseConnectionFellSilentHearsAgain() throws Exception {
        String url = freshStore();
        Semaphore heard = new Semaphore(0);
        try (PostgresBackend here = PostgresBackend.open(url);
                PostgresBackend there = PostgresBackend.open(Server.url(server.port(), "jobs" + databases));
                Subscription subscription = here.listen(wake -> {
                    if (wake instanceof Wake.Queue) {
                        heard.release();
                    }
                })) {
            awaitWake(there, heard);
            proxy.silence(new Random(1), 100);
            heard.drainPermits();
            awaitWake(there, heard);
        }
    }

    /** A wake is a hint and may be lost: then the next one must get through. */
    private static void awaitWake(PostgresBackend from, Semaphore heard) throws InterruptedException {
        boolean isHeard = false;
        for (int tries = 0; tries < 40 && !isHeard; tries++) {
            from.publish(Set.of(new Wake.Queue("mail")));
            isHeard = heard.tryAcquire(1, TimeUnit.SECONDS);
        }
        assertThat(isHeard).isTrue();
    }
}
