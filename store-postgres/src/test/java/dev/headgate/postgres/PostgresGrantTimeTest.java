package dev.headgate.postgres;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.job.JobStore;
import dev.headgate.internal.lease.Turn;
import dev.headgate.internal.lease.TurnRequest;
import dev.headgate.internal.time.Micros;
import dev.headgate.internal.time.Ticker;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.spi.NewJob;
import dev.headgate.spi.WorkerRow;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The server reads its clock somewhere between a question and its answer, and the reading may ride along with other
 * statements: the ticker must have been read before. Server and test run on one machine here, so their clocks are the same.
 */
class PostgresGrantTimeTest {
    private static final int ROUNDS = 40;
    private static final List<String> QUEUES = List.of("mail", "sms");
    private static final Ticker WALL = () -> Micros.of(Instant.now()) * 1_000;

    private static void claimAll(JobStore store, NewJob job) {
        store.enqueue(Collections.nCopies(ROUNDS, job));
        int started = 0;
        for (int turns = 0; started < ROUNDS && turns < 100 * ROUNDS; turns++) {
            Turn turn = store.turnaround(new TurnRequest("w", QUEUES, 1, List.of(), Duration.ofMillis(2)));
            started += turn.started().size();
            turn.started()
                    .forEach(row -> assertThat(row.lease().startedAt())
                            .as("margin %d", row.lease().margin())
                            .isGreaterThanOrEqualTo(turn.grantedNanos() / 1_000)
                            .isLessThanOrEqualTo(turn.decidedNanos() / 1_000));
        }
        assertThat(started).isEqualTo(ROUNDS);
    }

    @Test
    void noGrantIsOlderThanItsReading() {
        try (JobStore store = new JobStore(PostgresBackend.open(TestServer.emptyStore()), WALL)) {
            store.setPolicy(GateKey.gate("wide"), GatePolicy.parse("window 1000/1h margin 10m"));
            store.setPolicy(GateKey.gate("narrow"), GatePolicy.parse("spaced 1000/1s margin 500us"));
            store.setPolicy(GateKey.queue("sms"), GatePolicy.parse("window 1000/1h margin 10m"));
            store.register(new WorkerRow("w", "w", QUEUES, 1, 0, 0, List.of()), Duration.ofMinutes(5), List.of());
            claimAll(store, job("mail").build());
            claimAll(store, job("sms").build());
            claimAll(store, job("mail").gate("wide").build());
            claimAll(store, job("mail").gate("narrow").build());
            claimAll(store, job("sms").gate("wide").gate("narrow").build());
        }
    }
}
