package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static dev.headgate.proof.contract.RecurrenceContract.MINUTELY;
import static dev.headgate.proof.contract.RecurrenceContract.terms;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.headgate.internal.admission.Shares.Share;
import dev.headgate.job.JobId;
import dev.headgate.limit.GateKey;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import dev.headgate.spi.JournalTable;
import dev.headgate.spi.JournalTable.Expired;
import dev.headgate.spi.ProfileRow;
import dev.headgate.spi.ScheduleRow;
import dev.headgate.spi.ScheduleRow.Progress;
import dev.headgate.spi.ShareRow;
import dev.headgate.spi.ShareRow.OrderKey;
import dev.headgate.spi.ShareTable;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.WorkerRow;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A write of a table changes the rows that it names, and none beside them: seen with two of each kind. */
public interface OwnRowsContract extends StoreFixture {
    GateKey FIRST = GateKey.queue("first");
    GateKey SECOND = GateKey.queue("second");

    private static void write(Rig rig, Consumer<StoreTransaction> act) {
        rig.store().backend().write(tx -> {
            act.accept(tx);
            return true;
        });
    }

    private static @Nullable ScheduleRow schedule(Rig rig, String name) {
        return rig.store().backend().read(tx -> tx.schedules().find(name));
    }

    private static <R> List<R> rows(Rig rig, Function<StoreTransaction, List<R>> look) {
        return rig.store().backend().read(look);
    }

    /** Of each queue: one that stands, one that runs, one that is ahead, and two that are idle. */
    private static void saveShares(Rig rig) {
        for (GateKey queue : List.of(FIRST, SECOND)) {
            write(
                    rig,
                    tx -> tx.shares()
                            .save(List.of(
                                    new ShareRow(queue, "stands", new Share(10, 1, true, 0, 0)),
                                    new ShareRow(queue, "runs", new Share(10, 2, false, 1, 7)),
                                    new ShareRow(queue, "ahead", new Share(100, 3, false, 0, 0)),
                                    new ShareRow(queue, "level", new Share(50, 4, false, 0, 0)),
                                    new ShareRow(queue, "behind", new Share(10, 5, false, 0, 0)))));
        }
    }

    private static List<ShareRow> shares(Rig rig, GateKey queue) {
        List<OrderKey> places = List.of("stands", "runs", "ahead", "level", "behind").stream()
                .map(share -> new OrderKey(queue, share))
                .toList();
        return rows(rig, tx -> tx.shares().find(places));
    }

    /** Does it to the first queue, and returns which of its shares are left. Those of the second stay as they are. */
    private static List<String> leftAfter(Rig rig, Consumer<ShareTable> act) {
        saveShares(rig);
        List<ShareRow> beside = shares(rig, SECOND);
        write(rig, tx -> act.accept(tx.shares()));
        assertThat(shares(rig, SECOND)).containsExactlyInAnyOrderElementsOf(beside);
        return shares(rig, FIRST).stream().map(ShareRow::key).sorted().toList();
    }

    @Test
    default void sharesThatAreNotAheadAreForgottenWhereTheyNeitherStandNorRun(Rig rig) {
        assertThat(leftAfter(rig, shares -> shares.prune(FIRST, 50))).containsExactly("ahead", "runs", "stands");
    }

    @Test
    default void ofTheIdleSharesOfOneQueueThoseThatHadMostAreKept(Rig rig) {
        assertThat(leftAfter(rig, shares -> assertThat(shares.trim(FIRST, 1)).isEqualTo(2)))
                .containsExactly("ahead", "runs", "stands");
        assertThat(leftAfter(rig, shares -> assertThat(shares.trim(FIRST, 0)).isEqualTo(3)))
                .containsExactly("runs", "stands");
        assertThat(leftAfter(rig, shares -> assertThat(shares.trim(FIRST, 3)).isZero()))
                .hasSize(5);
    }

    @Test
    default void theSharesOfOneQueueAreForgottenTogether(Rig rig) {
        assertThat(leftAfter(rig, shares -> shares.clear(FIRST))).isEmpty();
    }

    @Test
    default void theTagsOfOneQueueAreLoweredTogetherAndNotBelowZero(Rig rig) {
        assertThat(leftAfter(rig, shares -> shares.rebase(FIRST, 40))).hasSize(5);
        assertThat(shares(rig, FIRST))
                .extracting(row -> row.share().finish())
                .containsExactlyInAnyOrder(0L, 0L, 60L, 10L, 0L);
    }

    @Test
    default void aScheduleIsMovedChangedAndRemovedAlone(Rig rig) {
        rig.schedules().put("first", terms(MINUTELY, job("mail")));
        rig.schedules().put("second", terms(MINUTELY, job("post")));
        rig.advance(Duration.ofMinutes(1));
        assertThat(rig.schedules().fire().runs()).isEqualTo(2);
        var second = schedule(rig, "second");
        var runs = rows(rig, tx -> tx.schedules().runs("second", 9));
        var first = Objects.requireNonNull(schedule(rig, "first"));
        var moved = first.with(new Progress(true, 7, null, 8L, "moved"));
        write(rig, tx -> tx.schedules().move(List.of(moved)));
        assertThat(schedule(rig, "first")).isEqualTo(moved);
        write(rig, tx -> tx.schedules().save(first));
        assertThat(schedule(rig, "first")).isEqualTo(first);
        write(rig, tx -> tx.schedules().remove("first"));
        assertThat(rows(rig, tx -> tx.schedules().list())).containsExactly(second);
        assertThat(rows(rig, tx -> tx.schedules().runs("first", 9))).isEmpty();
        assertThat(rows(rig, tx -> tx.schedules().runs("second", 9))).isEqualTo(runs);
    }

    @Test
    default void theOldRunsOfOneScheduleAreForgotten(Rig rig) {
        for (String name : List.of("first", "second")) {
            rig.schedules().put(name, terms(MINUTELY, job(name)));
        }
        for (int minute = 0; minute < 4; minute++) {
            rig.advance(Duration.ofMinutes(1));
            rig.schedules().fire();
            ScriptedWorker worker = rig.worker("first", "second");
            if (minute > 0) {
                worker.claim(9);
                worker.finishAll();
            }
        }
        rig.advance(Duration.ofMinutes(1));
        rig.schedules().fire();
        write(rig, tx -> tx.schedules().trimRuns(List.of("first"), 2));
        assertThat(rows(rig, tx -> tx.schedules().runs("first", 9)))
                .as("the newest two; the job of the newest has not ended")
                .hasSize(2);
        assertThat(rows(rig, tx -> tx.schedules().runs("second", 9))).hasSize(5);
    }

    @Test
    default void whatIsKnownOfOneJobTypeIsWrittenAlone(Rig rig) {
        write(rig, tx -> tx.profiles().lock(new TreeSet<>(List.of("first", "second"))));
        ProfileRow row = new ProfileRow("first", "memory=1000", 5L, "", 9);
        write(rig, tx -> tx.profiles().save(List.of(row)));
        assertThat(rows(rig, tx -> tx.profiles().all())).containsExactly(row, ProfileRow.fresh("second"));
    }

    /** Rolled back, because the hashes are made up. */
    @Test
    default void howFarOneJournalIsPrunedIsNotedAloneAndNeverGoesBackOrBeyondItsEnd(Rig rig) {
        rig.policy("gate first", "concurrency 9; journal 1h").policy("gate second", "concurrency 9; journal 1h");
        ScriptedWorker worker = rig.worker("mail");
        for (int i = 0; i < 3; i++) {
            rig.enqueue(job("mail").gate("first"), job("mail").gate("second"));
            assertThat(worker.claim(2)).hasSize(2);
            worker.finishAll();
        }
        assertThatExceptionOfType(EpochContract.Undone.class)
                .isThrownBy(() -> write(rig, tx -> {
                    JournalTable journal = tx.journal();
                    GateKey first = GateKey.gate("first");
                    journal.anchor(List.of(new Expired(1, first, 2, "two")));
                    journal.anchor(List.of(new Expired(1, first, 1, "one")));
                    journal.anchor(List.of(new Expired(1, first, 999, "beyond")));
                    assertThat(journal.standing(first).pruned()).isEqualTo(2);
                    assertThat(journal.standing(first).prunedHash()).isEqualTo("two");
                    assertThat(journal.standing(GateKey.gate("second")).pruned())
                            .isZero();
                    throw new EpochContract.Undone();
                }));
    }

    @Test
    default void aWorkerTellsOfItselfAlone(Rig rig) {
        ScriptedWorker first = rig.worker("mail");
        ScriptedWorker second = rig.worker("mail");
        JobId job = rig.enqueue(job("mail"));
        assertThat(second.claim(1)).containsExactly(job);
        WorkerRow beside = row(rig, second);
        write(rig, tx -> tx.workers().publish(first.id(), 7, "room"));
        write(rig, tx -> tx.workers().extend(first.id(), tx.now(), tx.now() + 99_000_000));
        write(rig, tx -> {
            tx.workers().foresee(first.id());
            assertThat(tx.workers().shift(first.id(), List.of(), List.of(), tx.now()))
                    .isNotNull();
        });
        assertThat(row(rig, second)).isEqualTo(beside);
        assertThat(row(rig, first).slots()).isEqualTo(7);
        assertThat(second.finish(job)).isTrue();
    }

    private static WorkerRow row(Rig rig, ScriptedWorker worker) {
        return rows(rig, tx -> tx.workers().list()).stream()
                .filter(row -> row.id().equals(worker.id()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    default void aLeaseThatHasEndedIsNeitherExtendedNorWritten(Rig rig) {
        ScriptedWorker worker = rig.worker("mail");
        worker.crash();
        rig.advance(ScriptedWorker.LEASE);
        long until = row(rig, worker).leaseUntil();
        boolean isExtended =
                rig.store().backend().write(tx -> tx.workers().extend(worker.id(), tx.now(), tx.now() + 9_000_000));
        assertThat(isExtended).isFalse();
        assertThat(row(rig, worker).leaseUntil()).isEqualTo(until);
        write(rig, tx -> {
            tx.workers().foresee(worker.id());
            assertThat(tx.workers().shift(worker.id(), List.of(), List.of(), tx.now()))
                    .isNull();
        });
        write(
                rig,
                tx -> assertThat(tx.workers().shift(worker.id(), List.of(), List.of(1L), tx.now()))
                        .isNull());
    }
}
