package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.evidence.ChainProof;
import dev.headgate.evidence.Verification;
import dev.headgate.evidence.Verification.Finding;
import dev.headgate.internal.evidence.Proof;
import dev.headgate.internal.evidence.StoredJournals;
import dev.headgate.limit.GateKey;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.spi.Backend;
import dev.headgate.spi.StoreClock;
import dev.headgate.testkit.VirtualTime;
import java.time.Duration;
import java.util.List;
import org.assertj.core.groups.Tuple;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** For stores with tables: a journal that was changed by hand is found out, and the first row that is wrong is named. */
public interface TamperContract {
    GateKey API = GateKey.gate("api");

    /** The URL of a store that has nothing in it yet, not even tables; another one each time. */
    String emptyUrl() throws Exception;

    /** Opens what is there, on this clock. */
    Backend open(String url, StoreClock clock);

    /** Runs this in the store behind the URL, and expects it to change something. */
    private static void tamper(String url, String sql) throws Exception {
        assertThat(StoreDump.change(url, sql)).as(sql).isPositive();
    }

    private static Verification verification(Rig rig) {
        return verification(rig, null);
    }

    private static Verification verification(Rig rig, ChainProof.@Nullable End since) {
        return Proof.of(API, StoredJournals.of(rig.store().backend(), API), null, null, since);
    }

    /** Six rows of two starts each, one every second. */
    private static ScriptedWorker fill(Rig rig) {
        rig.policy("gate api", "window 100/1h margin none; journal 7d").policy("gate other", "window 9/1h; journal 7d");
        ScriptedWorker worker = rig.worker("q");
        start(rig, worker, 6);
        Verification verification = verification(rig);
        assertThat(verification.isGood()).isTrue();
        assertThat(List.of(verification.chain().first(), verification.chain().last()))
                .containsExactly(1L, 6L);
        return worker;
    }

    private static void start(Rig rig, ScriptedWorker worker, int batches) {
        for (int batch = 0; batch < batches; batch++) {
            rig.enqueue(2, job("q").gate("api"));
            assertThat(worker.claim(2)).hasSize(2);
            rig.advance(Duration.ofSeconds(1));
        }
    }

    private Finding found(String... statements) throws Exception {
        String url = emptyUrl();
        VirtualTime time = new VirtualTime();
        try (Rig rig = new Rig(open(url, time), time)) {
            fill(rig);
            for (String sql : statements) {
                tamper(url, sql);
            }
            assertThat(rig.store().journalGates()).contains(API);
            Verification verification = verification(rig);
            assertThat(verification.isGood()).isFalse();
            assertThat(verification.violations())
                    .as("what stands behind it is not judged")
                    .isZero();
            assertThat(verification.findings()).as("one finding").hasSize(1);
            Finding only = verification.findings().getFirst();
            assertThat(only.kind()).isEqualTo(Finding.Kind.BROKEN);
            assertThat(verification.chain().last())
                    .as("what is proved ends before it")
                    .isLessThan(Math.max(7, only.row()));
            return only;
        }
    }

    @Test
    default void rowsThatWereTakenAwayAreMissed() throws Exception {
        missed("number = 3", 4, "row 3 is missing before it");
        missed("number <= 2", 3, "rows 1 to 2 are missing before it");
        missed("number >= 5", 5, "rows 5 to 6 are missing at the end: the gate has written 6");
        missed("number = 6", 6, "row 6 is missing at the end: the gate has written 6");
        missed("number > 0", 1, "rows 1 to 6 are missing at the end: the gate has written 6");
    }

    private void missed(String which, long row, String text) throws Exception {
        Finding found = found("delete from headgate_journal where gate = 'gate:api' and " + which);
        assertThat(found.text()).as(which).isEqualTo(text);
        assertThat(found.row()).as(which).isEqualTo(row);
    }

    /** Whatever it is that was changed. */
    @Test
    default void aRowThatWasChangedIsNamed() throws Exception {
        for (String change : List.of(
                "policy = 'window 1000/1h margin none'",
                "starts = 1",
                "starts = -2",
                "units = 1",
                "leases = 1",
                "in_use = 1",
                "kind = 'CLEAR', starts = 0, units = 0",
                "at = at + 1",
                "started_at = started_at + 1",
                "margin = 1",
                "version = version + 1",
                "keep_until = keep_until + 1",
                "hash = '00'")) {
            Finding found =
                    found("update headgate_journal set %s where gate = 'gate:api' and number = 3".formatted(change));
            assertThat(found.row()).as(change).isEqualTo(3);
            assertThat(found.id()).as(change).isPositive();
            assertThat(found.text()).as(change).isEqualTo("what it says and its hash do not agree: it was changed");
        }
    }

    @Test
    default void aRowThatWasAddedIsNamed() throws Exception {
        added(0, "''", "the gate has not written it: it was added behind row 6");
        added(7, "hash", "what it says and its hash do not agree: it was changed");
        added(6, "hash", "it stands where row 7 belongs: rows were added or moved");
    }

    private void added(long number, String hash, String text) throws Exception {
        String columns =
                "gate, at, kind, starts, units, leases, in_use, started_at, margin, policy, version, keep_until";
        String values = "gate, at, 'CLEAR', 0, 0, leases, in_use, 0, 0, policy, version, keep_until";
        Finding found = found(
                "insert into headgate_journal (%s, number, hash) select %s, %d, %s from headgate_journal where number = 6"
                        .formatted(columns, values, number, hash));
        assertThat(found.text()).isEqualTo(text);
        assertThat(found.row()).isEqualTo(number);
    }

    @Test
    default void rowsThatChangedPlacesAreFound() throws Exception {
        Finding found = found("update headgate_journal set number = 7 - number where number in (3, 4)");
        assertThat(found.row()).isEqualTo(4);
        assertThat(found.text()).isEqualTo("row 3 is missing before it");
    }

    @Test
    default void aRowThatWasMovedToAnotherGateIsMissed() throws Exception {
        Finding found = found("update headgate_journal set gate = 'gate:other' where number = 2");
        assertThat(found.text()).isEqualTo("row 2 is missing before it");
    }

    @Test
    default void rowsThatClaimToBeOlderThanHashesAreNot() throws Exception {
        Finding found = found("update headgate_journal set number = 0, hash = '' where number <= 2");
        assertThat(found.row()).isZero();
        assertThat(found.text()).isEqualTo("the gate has not written it: it was added behind row 0");
    }

    @Test
    default void theGateHasNotedItsLastRow() throws Exception {
        Finding head = found("update headgate_gate set journal_head = '00' where key = 'gate:api'");
        assertThat(head.row()).isEqualTo(6);
        assertThat(head.text()).isEqualTo("its hash is not the one that the gate has noted of its last row");
        Finding count = found(
                "update headgate_gate set journal_count = 5, journal_head = (select hash from headgate_journal where number = 5)"
                        + " where key = 'gate:api'");
        assertThat(count.row()).isEqualTo(6);
        assertThat(count.text()).isEqualTo("the gate has not written it: it was added behind row 5");
        Finding pruned = found("update headgate_gate set pruned_count = 6, pruned_hash = '00' where key = 'gate:api'");
        assertThat(pruned.text()).startsWith("the gate has noted that rows up to 6 were deleted in their time");
    }

    /** Nothing inside the store can show it: the hashes fit. What was kept elsewhere does. */
    @Test
    default void aJournalThatWasWrittenAnewAsAWholeIsFoundByACertificateOnly() throws Exception {
        for (String change : List.of(
                "delete from headgate_journal where number = 2",
                "delete from headgate_journal where number >= 3",
                "update headgate_journal set starts = 1 where number = 4")) {
            String url = emptyUrl();
            VirtualTime time = new VirtualTime();
            try (Rig rig = new Rig(open(url, time), time)) {
                fill(rig);
                ChainProof.End end = verification(rig).chain().end();
                tamper(url, change);
                RewrittenJournal.of(rig.store().backend(), url, API);
                assertThat(verification(rig).isGood())
                        .as("%s: without a certificate", change)
                        .isTrue();
                start(rig, rig.worker("q"), 3);
                assertThat(verification(rig, end).findings())
                        .as(change)
                        .extracting(Finding::kind, Finding::row)
                        .containsExactly(Tuple.tuple(Finding.Kind.NOT_CONTINUED, 6L));
            }
        }
    }

    @Test
    default void rowsThatWereTakenAwayAtTheEndAreMissedByACertificate() throws Exception {
        String url = emptyUrl();
        VirtualTime time = new VirtualTime();
        try (Rig rig = new Rig(open(url, time), time)) {
            fill(rig);
            ChainProof.End end = verification(rig).chain().end();
            tamper(url, "delete from headgate_journal where number >= 5");
            RewrittenJournal.of(rig.store().backend(), url, API);
            assertThat(verification(rig).isGood()).isTrue();
            assertThat(verification(rig, end).findings())
                    .extracting(Finding::text)
                    .containsExactly("the certificate ends with it, and the gate has written 4: rows were taken away,"
                            + " the store was put back from a backup, or the certificate is of another store");
        }
    }

    @Test
    default void whatCannotBeIsFoundInAJournalThatWasWrittenAnew() throws Exception {
        for (String change : List.of("starts = -2", "units = -1", "leases = -1", "policy = 'window of opportunity'")) {
            String url = emptyUrl();
            VirtualTime time = new VirtualTime();
            try (Rig rig = new Rig(open(url, time), time)) {
                fill(rig);
                tamper(url, "update headgate_journal set %s where number = 3".formatted(change));
                RewrittenJournal.of(rig.store().backend(), url, API);
                assertThat(verification(rig).findings())
                        .as(change)
                        .extracting(Finding::kind, Finding::row)
                        .containsExactly(Tuple.tuple(Finding.Kind.IMPOSSIBLE, 3L));
            }
        }
    }

    /** The hashes fit, and what else is stored does not. */
    @Test
    default void limitsThatWereNeverStoredAreFoundInAJournalThatWasWrittenAnew() throws Exception {
        String url = emptyUrl();
        VirtualTime time = new VirtualTime();
        try (Rig rig = new Rig(open(url, time), time)) {
            fill(rig);
            tamper(url, "update headgate_journal set policy = 'window 1000/1h margin none' where number >= 4");
            RewrittenJournal.of(rig.store().backend(), url, API);
            assertThat(verification(rig).findings())
                    .extracting(Finding::kind, Finding::row, Finding::text)
                    .containsExactly(Tuple.tuple(
                            Finding.Kind.POLICY,
                            4L,
                            "it says that the limits were 'window 1000/1h margin none', and in version 2 of the policies they were"
                                    + " 'window 100/1h margin none; journal 7d'; 2 rows after it say so too"));
        }
    }

    @Test
    default void aVersionThatNeverWasIsFoundInAJournalThatWasWrittenAnew() throws Exception {
        String url = emptyUrl();
        VirtualTime time = new VirtualTime();
        try (Rig rig = new Rig(open(url, time), time)) {
            fill(rig);
            tamper(url, "update headgate_journal set version = 99 where number = 4");
            RewrittenJournal.of(rig.store().backend(), url, API);
            assertThat(verification(rig).findings())
                    .extracting(Finding::row, Finding::text)
                    .containsExactly(
                            Tuple.tuple(4L, "it says that version 99 of the policies decided, and the newest is 2"));
        }
    }

    @Test
    default void startsOfHistoryAreMissedInAJournalThatWasWrittenAnew() throws Exception {
        for (String change : List.of(
                "delete from headgate_journal where number in (3, 4)",
                "update headgate_journal set starts = 0 + 1 where number in (2, 3, 5, 6)",
                "update headgate_journal set started_at = started_at + 1 where number in (4, 5)")) {
            String url = emptyUrl();
            VirtualTime time = new VirtualTime();
            try (Rig rig = new Rig(open(url, time), time)) {
                fill(rig).finishAll();
                assertThat(verification(rig).compared()).isEqualTo(12);
                assertThat(verification(rig).isGood()).isTrue();
                tamper(url, change);
                RewrittenJournal.of(rig.store().backend(), url, API);
                assertThat(verification(rig).findings())
                        .as(change)
                        .extracting(Finding::kind, Finding::text)
                        .containsExactly(Tuple.tuple(
                                Finding.Kind.HISTORY,
                                "history has a job that started then, and no row has that start; nor 3 others"));
            }
        }
    }

    /** Each gate has a chain of its own. */
    @Test
    default void theOtherGatesAreProvedAllTheSame() throws Exception {
        String url = emptyUrl();
        VirtualTime time = new VirtualTime();
        try (Rig rig = new Rig(open(url, time), time)) {
            fill(rig);
            ScriptedWorker worker = rig.worker("q");
            rig.enqueue(1, job("q").gate("other"));
            worker.claim(1);
            tamper(url, "delete from headgate_journal where gate = 'gate:api' and number = 6");
            GateKey other = GateKey.gate("other");
            assertThat(Proof.of(other, StoredJournals.of(rig.store().backend(), other), null, null)
                            .isGood())
                    .isTrue();
            assertThat(verification(rig).isGood()).isFalse();
        }
    }
}
