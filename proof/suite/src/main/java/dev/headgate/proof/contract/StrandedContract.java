package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.admission.Shares.Share;
import dev.headgate.internal.gate.StrandedLines;
import dev.headgate.limit.GateKey;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import dev.headgate.spi.Backend.Subscription;
import dev.headgate.spi.GateRow;
import dev.headgate.spi.NewJob;
import dev.headgate.spi.ShareRow;
import dev.headgate.spi.ShareRow.OrderKey;
import dev.headgate.spi.Wake;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A line that nothing would wake any more, by a bug or by a hand in the database, is found, named and mended. */
public interface StrandedContract extends StoreFixture {
    @Test
    default void aLineWithoutAWakeTimeIsFoundMendedAndTold(Rig rig) throws InterruptedException {
        ScriptedWorker worker = lineAtOpenGate(rig, "api");
        wakeAt(rig, "api", null);
        StrandedLines lines = new StrandedLines(rig.store().backend());
        BlockingQueue<Wake> told = new LinkedBlockingQueue<>();
        try (Subscription heard = rig.store().backend().listen(told::add)) {
            assertThat(lines.find()).containsExactly(GateKey.gate("api"));
            assertThat(lines.find()).as("to look changes nothing").containsExactly(GateKey.gate("api"));
            assertThat(lines.mend()).containsExactly(GateKey.gate("api"));
            assertThat(told.poll(30, TimeUnit.SECONDS)).isEqualTo(new Wake.Anything());
        }
        assertThat(lines.find()).isEmpty();
        assertThat(lines.mend()).isEmpty();
        assertThat(worker.claim(5)).hasSize(1);
    }

    @Test
    default void aLineThatIsWokenWithinASecondIsNotStranded(Rig rig) {
        ScriptedWorker worker = lineAtOpenGate(rig, "api");
        StrandedLines lines = new StrandedLines(rig.store().backend());
        wakeAt(rig, "api", rig.time().micros() + 1_000_000);
        assertThat(lines.find()).isEmpty();
        assertThat(lines.mend()).isEmpty();
        wakeAt(rig, "api", rig.time().micros() + 1_000_001);
        assertThat(lines.find()).containsExactly(GateKey.gate("api"));
        assertThat(lines.mend()).containsExactly(GateKey.gate("api"));
        assertThat(worker.claim(5)).hasSize(1);
    }

    @Test
    default void aLineAtAShutGateIsNotStranded(Rig rig) {
        rig.policy("gate api", "rate 1/1h burst 1");
        ScriptedWorker worker = rig.worker("mail");
        rig.enqueue(2, job("mail").gate("api"));
        assertThat(worker.claim(5)).hasSize(1);
        StrandedLines lines = new StrandedLines(rig.store().backend());
        assertThat(lines.find()).isEmpty();
        assertThat(lines.mend()).isEmpty();
        wakeAt(rig, "api", null);
        assertThat(lines.find()).as("it opens in an hour").isEmpty();
        wakeAt(rig, "api", rig.time().micros() + Duration.ofHours(1).toNanos() / 1_000);
        rig.advance(Duration.ofHours(1));
        assertThat(worker.claim(5)).hasSize(1);
    }

    @Test
    default void strandedLinesBehindManyGatesAreFoundAndMended(Rig rig) {
        List<NewJob> jobs = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            jobs.add(job("mail").gate("gate:" + i).build());
        }
        rig.store().enqueue(jobs);
        assertThat(rig.worker("mail").claimAll()).hasSize(600);
        ScriptedWorker worker = lineAtOpenGate(rig, "last:1", "last:2");
        wakeAt(rig, "last:1", null);
        wakeAt(rig, "last:2", null);
        StrandedLines lines = new StrandedLines(rig.store().backend());
        assertThat(lines.find()).containsExactly(GateKey.gate("last:1"), GateKey.gate("last:2"));
        assertThat(lines.mend()).containsExactly(GateKey.gate("last:1"), GateKey.gate("last:2"));
        assertThat(lines.find()).isEmpty();
        assertThat(worker.claimAll()).hasSize(2);
    }

    @Test
    default void aShareThatLeftTheOrderOfItsQueueIsFoundAndMended(Rig rig) {
        rig.policy("queue mail", "fair by t:*");
        ScriptedWorker worker = rig.worker("mail");
        rig.enqueue(3, job("mail").gate("t:one"));
        rig.enqueue(3, job("mail").gate("t:two"));
        assertThat(worker.claim(2)).hasSize(2);
        StrandedLines lines = new StrandedLines(rig.store().backend());
        assertThat(lines.find()).isEmpty();
        GateKey queue = GateKey.queue("mail");
        rig.store().backend().write(tx -> {
            tx.gates().lock(new TreeSet<>(List.of(queue)));
            ShareRow row =
                    tx.shares().find(List.of(new OrderKey(queue, "t:two"))).getFirst();
            Share share = row.share();
            tx.shares().save(List.of(new ShareRow(queue, "t:two", new Share(share.finish(), share.rank(), false))));
            return null;
        });
        assertThat(lines.find()).containsExactly(queue);
        assertThat(lines.mend()).containsExactly(queue);
        assertThat(worker.claim(5)).hasSize(4);
        assertThat(lines.find()).isEmpty();
    }

    /** One job has started, a second one waits in line, and by now its gate lets it pass. */
    private static ScriptedWorker lineAtOpenGate(Rig rig, String... gates) {
        ScriptedWorker worker = rig.worker("mail");
        for (String gate : gates) {
            rig.policy("gate " + gate, "rate 1/10s burst 1");
            rig.enqueue(2, job("mail").gate(gate));
        }
        assertThat(worker.claimAll()).hasSize(gates.length);
        rig.advance(Duration.ofSeconds(10));
        return worker;
    }

    private static void wakeAt(Rig rig, String gate, @Nullable Long at) {
        rig.store().backend().write(tx -> {
            GateRow row = tx.gates()
                    .lock(new TreeSet<>(List.of(GateKey.gate(gate))))
                    .get()
                    .getFirst();
            tx.gates()
                    .save(List.of(new GateRow(row.key(), row.leases(), row.units(), row.memory(), at, row.journal())));
            return null;
        });
    }
}
