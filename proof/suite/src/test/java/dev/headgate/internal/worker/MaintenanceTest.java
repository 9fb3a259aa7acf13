package dev.headgate.internal.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.admission.Shares.Share;
import dev.headgate.internal.operate.PruneGates;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.proof.Jobs;
import dev.headgate.spi.GateRow;
import dev.headgate.spi.ShareRow;
import dev.headgate.spi.ShareRow.OrderKey;
import dev.headgate.spi.TokenRow;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a worker tidies up by itself, without being asked. What goes, and when, is for the contracts of the stores to say. */
class MaintenanceTest {
    private static final GateKey GATE = GateKey.gate("g");
    private static final GateKey QUEUE = GateKey.queue("q");

    private final SteppedWorker worker = new SteppedWorker();

    private void write(Consumer<dev.headgate.spi.StoreTransaction> act) {
        worker.store.backend().write(tx -> {
            act.accept(tx);
            return true;
        });
    }

    /** Runs one job of the gate, under this policy of it. */
    private void runOne(String policy) {
        worker.store.setPolicy(GATE, GatePolicy.parse(policy));
        worker.store.enqueue(List.of(Jobs.job("q").gate("g").build()));
        worker.start(job -> {});
        worker.turn();
        worker.work();
        worker.turn();
    }

    /** Time passes; each task is due at some moment of its interval, and of the next. */
    private void later(Duration span) {
        worker.pass(span);
        worker.round("janitor");
    }

    private List<GateKey> gates() {
        return worker.store.backend().read(tx -> tx.gates().list(null, 9)).stream()
                .map(GateRow::key)
                .toList();
    }

    @Test
    void rowsOfGatesThatAreAsNewGo() {
        runOne("concurrency 5");
        assertThat(gates()).contains(GATE);
        later(PruneGates.QUIET.plusMinutes(1));
        later(Duration.ofMinutes(10));
        assertThat(gates()).isEmpty();
    }

    @Test
    void idleSharesBeyondTheFirstThousandGo() {
        worker.store.setPolicy(QUEUE, GatePolicy.parse("concurrency 5; fair by tenant:*"));
        runOne("concurrency 5");
        List<ShareRow> idle = IntStream.range(0, PruneGates.SHARES_KEPT + 3)
                .mapToObj(i -> new ShareRow(QUEUE, "tenant:" + i, new Share(1_000_000_000L + i, i, false, 0, 0)))
                .toList();
        List<OrderKey> places = idle.stream().map(ShareRow::place).toList();
        write(tx -> tx.shares().save(idle));
        later(Duration.ofMinutes(10));
        later(Duration.ofMinutes(10));
        List<ShareRow> left = worker.store.backend().read(tx -> tx.shares().find(places));
        assertThat(left).hasSizeBetween(PruneGates.SHARES_KEPT - 1, PruneGates.SHARES_KEPT);
    }

    @Test
    void entriesOfAJournalThatNeedNotBeKeptGo() {
        runOne("concurrency 5; journal 1d");
        assertThat(worker.store.journal(GATE, 0, 9)).isNotEmpty();
        later(Duration.ofDays(2));
        later(Duration.ofMinutes(10));
        assertThat(worker.store.journal(GATE, 0, 9)).isEmpty();
    }

    @Test
    void whatWasNotedLongAgoGoes() {
        long expired = worker.storeTime.micros();
        write(tx -> tx.tokens().insert(new TokenRow("t", "a test", "beef", "read", "", "", 0, expired, null)));
        worker.start(job -> {});
        later(Duration.ofDays(91));
        later(Duration.ofHours(6));
        List<TokenRow> left = worker.store.backend().read(tx -> tx.tokens().all());
        assertThat(left).isEmpty();
    }
}
