package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.evidence.ChainProof;
import dev.headgate.evidence.Verification;
import dev.headgate.evidence.Verification.Finding;
import dev.headgate.internal.evidence.Journal;
import dev.headgate.internal.evidence.Proof;
import dev.headgate.internal.evidence.StoredJournals;
import dev.headgate.internal.lease.EndedLease;
import dev.headgate.internal.policy.PolicyRequest;
import dev.headgate.job.JobId;
import dev.headgate.job.Outcome;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.policy.PolicyEdit;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import dev.headgate.spi.JournalChain;
import dev.headgate.spi.JournalTable.Entry;
import dev.headgate.spi.JournalTable.Kind;
import dev.headgate.spi.JournalTable.Standing;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

/** Evidence of what gates let start, for those that ask for it. */
public interface JournalContract extends StoreFixture {
    private static List<Entry> entries(Rig rig, String gate) {
        return rig.store().journal(Rig.key(gate), 0, 100);
    }

    @Test
    default void oneRowPerGateAndBatchWithTheLimitsThatDecided(Rig rig) {
        rig.policy("gate a", "concurrency 3; budget 50; journal 1h").policy("gate b", "concurrency 9");
        rig.policy("queue mail", "concurrency 9; journal 1h");
        ScriptedWorker worker = rig.worker("mail");
        rig.enqueue(5, job("mail").gate("a", "b").cost(4));
        assertThat(worker.claim(9)).hasSize(3);
        Entry only = entries(rig, "gate a").getFirst();
        assertThat(entries(rig, "gate a")).hasSize(1);
        assertThat(only.event().kind()).isEqualTo(Kind.START);
        assertThat(List.of(
                        only.event().starts(),
                        only.event().units(),
                        only.use().leases(),
                        only.use().units()))
                .containsExactly(3L, 12L, 3L, 12L);
        assertThat(only.rule().policy()).isEqualTo("concurrency 3; budget 50");
        assertThat(entries(rig, "gate b")).isEmpty();
        assertThat(entries(rig, "queue mail")).hasSize(1);
        assertThat(rig.store().journalGates()).containsExactly(Rig.key("queue mail"), Rig.key("gate a"));
    }

    @Test
    default void aSettledCostIsEvidenceToo(Rig rig) {
        rig.policy("gate tokens", "window 1000/1m by-cost; journal 1h");
        ScriptedWorker worker = rig.worker("llm");
        JobId first = rig.enqueue(job("llm").gate("tokens", 700));
        worker.claim(1);
        worker.turn(0, new EndedLease(worker.lease(first), new Outcome.Succeeded(null), Map.of("tokens", 200L)));
        assertThat(entries(rig, "gate tokens"))
                .extracting(entry -> entry.event().kind())
                .containsExactly(Kind.START, Kind.SETTLE, Kind.RETURN);
        assertThat(entries(rig, "gate tokens").get(1).event().units()).isEqualTo(-500);
        assertThat(entries(rig, "gate tokens").get(2).event().units()).isEqualTo(200);
    }

    @Test
    default void whatComesBackBeforeItsMarginIsOverIsEvidenceOncePerBatch(Rig rig) {
        rig.policy("gate a", "window 9/1s margin 50ms; journal 1h")
                .policy("gate b", "window 9/1s margin none; journal 1h");
        ScriptedWorker worker = rig.worker("mail");
        List<JobId> ids = rig.enqueue(3, job("mail").gate("a", "b").cost(2));
        worker.claim(3);
        Entry start = entries(rig, "gate a").getFirst();
        assertThat(List.of(start.event().margin(), start.event().startedAt()))
                .containsExactly(50_000L, start.event().at());
        rig.advance(Duration.ofMillis(49));
        worker.turn(0, succeeded(worker, ids.get(0)), succeeded(worker, ids.get(1)));
        Entry back = entries(rig, "gate a").getLast();
        assertThat(back.event().kind()).isEqualTo(Kind.RETURN);
        assertThat(List.of(
                        back.event().starts(),
                        back.event().units(),
                        back.event().startedAt(),
                        back.event().margin(),
                        back.event().at()))
                .containsExactly(
                        2L, 4L, start.event().at(), 50_000L, start.event().at() + 49_000);
        rig.advance(Duration.ofMillis(1));
        worker.turn(0, succeeded(worker, ids.get(2)));
        assertThat(entries(rig, "gate a")).as("its margin was over").hasSize(2);
        assertThat(entries(rig, "gate b"))
                .as("counts at the grant")
                .extracting(entry -> entry.event().kind())
                .containsExactly(Kind.START);
    }

    private static EndedLease succeeded(ScriptedWorker worker, JobId id) {
        return new EndedLease(worker.lease(id), new Outcome.Succeeded(null), Map.of());
    }

    @Test
    default void aGateThatWaitsForTheEndOfItsHandlersNotesEveryReturn(Rig rig) {
        rig.policy("gate a", "window 9/1s margin end; journal 1h");
        ScriptedWorker worker = rig.worker("mail");
        JobId id = rig.enqueue(job("mail").gate("a"));
        worker.claim(1);
        rig.advance(Duration.ofSeconds(20));
        worker.turn(0, succeeded(worker, id));
        assertThat(entries(rig, "gate a"))
                .extracting(
                        entry -> entry.event().kind(), entry -> entry.event().margin())
                .containsExactly(Tuple.tuple(Kind.START, 0L), Tuple.tuple(Kind.RETURN, 0L));
    }

    @Test
    default void aLostStartIsEvidenceOnlyWhereNothingElseEndsIt(Rig rig) {
        rig.policy("gate a", "window 9/1s margin end; journal 1h").policy("gate b", "window 9/1s; journal 1h");
        ScriptedWorker worker = rig.worker("mail");
        rig.enqueue(job("mail").gate("a", "b"));
        worker.claim(1);
        rig.lose(worker);
        assertThat(entries(rig, "gate a"))
                .extracting(entry -> entry.event().kind())
                .containsExactly(Kind.START, Kind.LOST);
        assertThat(entries(rig, "gate b"))
                .extracting(entry -> entry.event().kind())
                .containsExactly(Kind.START);
    }

    /** A job takes one margin of its gates with it, of those by hand the smallest; a batch of several margins has an entry for each. */
    @Test
    default void startsOfOneTurnWithOtherMarginsAreEntriesOfTheirOwn(Rig rig) {
        rig.policy("gate a", "window 9/1s margin 50ms; journal 1h").policy("gate b", "window 9/1s margin 20ms");
        ScriptedWorker worker = rig.worker("mail");
        rig.enqueue(2, job("mail").gate("a"));
        rig.enqueue(1, job("mail").gate("a", "b"));
        assertThat(worker.claim(9)).hasSize(3);
        assertThat(entries(rig, "gate a"))
                .extracting(
                        entry -> entry.event().starts(),
                        entry -> entry.event().margin(),
                        entry -> entry.use().leases())
                .containsExactlyInAnyOrder(Tuple.tuple(2L, 50_000L, 3L), Tuple.tuple(1L, 20_000L, 3L));
    }

    /** What was chosen by itself gives way to what was asked for, and both count the start until then. */
    @Test
    default void aChosenMarginDoesNotCutOneByHand(Rig rig) {
        rig.policy("gate provider", "window 9/1s margin 400ms; journal 1h")
                .policy("gate tenant:*", "window 1/1s; journal 1h");
        ScriptedWorker worker = rig.worker("mail");
        rig.enqueue(2, job("mail").gate("provider", "tenant:acme"));
        assertThat(worker.claim(9)).hasSize(1);
        assertThat(entries(rig, "gate provider"))
                .extracting(entry -> entry.event().margin())
                .containsExactly(400_000L);
        assertThat(entries(rig, "gate tenant:acme"))
                .extracting(entry -> entry.event().margin())
                .containsExactly(400_000L);
        rig.advance(Duration.ofMillis(1_399));
        assertThat(worker.claim(9)).isEmpty();
        rig.advance(Duration.ofMillis(1));
        assertThat(worker.claim(9)).hasSize(1);
    }

    @Test
    default void aLateStartIsEvidenceWithItsStart(Rig rig) {
        rig.policy("gate a", "window 9/1s margin 50ms; journal 1h");
        ScriptedWorker worker = rig.worker("mail");
        JobId id = rig.enqueue(job("mail").gate("a").cost(3));
        worker.claim(1);
        Entry start = entries(rig, "gate a").getFirst();
        rig.advance(Duration.ofMillis(70));
        worker.turn(0, new EndedLease(worker.lease(id), new Outcome.Late(Duration.ofMillis(70)), Map.of()));
        Entry late = entries(rig, "gate a").getLast();
        assertThat(late.event().kind()).isEqualTo(Kind.LATE);
        assertThat(List.of(
                        late.event().starts(),
                        late.event().units(),
                        late.event().startedAt(),
                        late.event().margin()))
                .containsExactly(1L, 3L, start.event().at(), 50_000L);
    }

    private static Verification verification(Rig rig, String gate) {
        GateKey key = Rig.key(gate);
        return Proof.of(key, StoredJournals.of(rig.store().backend(), key), null, null);
    }

    private static void start(Rig rig, ScriptedWorker worker, int batches) {
        for (int batch = 0; batch < batches; batch++) {
            rig.enqueue(job("mail").gate("a"));
            assertThat(worker.claim(1)).hasSize(1);
            rig.advance(Duration.ofSeconds(1));
        }
    }

    @Test
    default void entriesOfAGateAreNumberedAndEachHashIsOverTheOneBefore(Rig rig) {
        rig.policy("gate a", "concurrency 9; journal 1h").policy("queue mail", "concurrency 9; journal 1h");
        ScriptedWorker one = rig.worker("mail");
        ScriptedWorker other = rig.worker("mail");
        start(rig, one, 2);
        start(rig, other, 1);
        rig.policy("gate a", "concurrency 8; journal 1h");
        start(rig, one, 1);
        for (String gate : List.of("gate a", "queue mail")) {
            List<Entry> entries = entries(rig, gate);
            assertThat(entries).extracting(entry -> entry.link().number()).containsExactly(1L, 2L, 3L, 4L);
            String before = "";
            for (Entry entry : entries) {
                assertThat(entry.link().hash()).hasSize(64).isEqualTo(JournalChain.hash(before, entry));
                before = entry.link().hash();
            }
            assertThat(rig.store().journalStanding(Rig.key(gate)).chain())
                    .isEqualTo(
                            new JournalChain(4, before, entries.getLast().link().keepUntil()));
            assertThat(verification(rig, gate).chain()).isEqualTo(new ChainProof(1, 4, before));
        }
        assertThat(entries(rig, "gate a").get(3).rule().version())
                .as("the version of the policies that decided")
                .isEqualTo(entries(rig, "gate a").getFirst().rule().version() + 1);
    }

    @Test
    default void whatIsLeftAfterPruningFollowsWhatWasPruned(Rig rig) {
        rig.policy("gate a", "concurrency 9; journal 1h");
        ScriptedWorker worker = rig.worker("mail");
        start(rig, worker, 3);
        String pruned = entries(rig, "gate a").get(2).link().hash();
        rig.advance(Duration.ofMinutes(30));
        start(rig, worker, 2);
        rig.advance(Duration.ofMinutes(31));
        assertThat(rig.store().pruneJournal()).isEqualTo(3);
        Standing standing = rig.store().journalStanding(Rig.key("gate a"));
        assertThat(List.of(standing.pruned(), standing.prunedHash())).containsExactly(3L, pruned);
        Verification left = verification(rig, "gate a");
        assertThat(left.isGood()).isTrue();
        assertThat(List.of(left.chain().first(), left.chain().last())).containsExactly(4L, 5L);

        rig.advance(Duration.ofHours(2));
        assertThat(rig.store().pruneJournal()).isEqualTo(2);
        assertThat(rig.store().journalGates()).isEmpty();
        assertThat(verification(rig, "gate a").findings()).isEmpty();
        start(rig, worker, 1);
        Verification next = verification(rig, "gate a");
        assertThat(next.isGood()).isTrue();
        assertThat(List.of(next.chain().first(), next.chain().last())).containsExactly(6L, 6L);
    }

    private static Verification verification(Rig rig, String gate, ChainProof.End since) {
        GateKey key = Rig.key(gate);
        return Proof.of(key, StoredJournals.of(rig.store().backend(), key), null, null, since);
    }

    @Test
    default void aJournalGoesOnFromWhereItWasProvedBefore(Rig rig) {
        rig.policy("gate a", "concurrency 99; journal 1h").policy("gate b", "concurrency 99; journal 1h");
        ScriptedWorker worker = rig.worker("mail");
        ChainProof.End nothing = verification(rig, "gate a").chain().end();
        start(rig, worker, 3);
        ChainProof.End third = verification(rig, "gate a").chain().end();
        assertThat(verification(rig, "gate a", nothing).findings()).isEmpty();
        assertThat(verification(rig, "gate a", third).findings()).isEmpty();
        rig.advance(Duration.ofMinutes(30));
        start(rig, worker, 2);
        assertThat(verification(rig, "gate a", third).findings()).isEmpty();

        rig.advance(Duration.ofMinutes(31));
        assertThat(rig.store().pruneJournal()).isEqualTo(3);
        assertThat(verification(rig, "gate a", third).findings())
                .as("it is the last one that was deleted in its time, which is noted")
                .isEmpty();
        rig.advance(Duration.ofHours(2));
        assertThat(rig.store().pruneJournal()).isEqualTo(2);
        assertThat(verification(rig, "gate a", third).findings())
                .extracting(Finding::kind, Finding::row)
                .containsExactly(Tuple.tuple(Finding.Kind.UNPROVED, 3L));
    }

    @Test
    default void aCertificateOfAnotherGateOrStoreIsToldApart(Rig rig) {
        rig.policy("gate a", "concurrency 99; journal 1h").policy("gate b", "concurrency 99; journal 1h");
        ScriptedWorker worker = rig.worker("mail");
        start(rig, worker, 2);
        rig.enqueue(2, job("mail").gate("b"));
        worker.claim(1);
        worker.claim(1);
        ChainProof.End ofB = verification(rig, "gate b").chain().end();
        assertThat(verification(rig, "gate a", ofB).findings())
                .extracting(Finding::text)
                .singleElement()
                .asString()
                .endsWith("the journal was written anew, or the certificate is of another store");
        assertThat(verification(rig, "gate a", new ChainProof.End(7, ofB.hash()))
                        .findings())
                .extracting(Finding::text)
                .singleElement()
                .asString()
                .contains("the gate has written 2: rows were taken away");
    }

    /** An override, a pattern, a removal: a row is held against what decided for its gate in its version. */
    @Test
    default void rowsNameTheLimitsThatWereStored(Rig rig) {
        rig.policy("gate a*", "concurrency 50; journal 1h").policy("gate b", "concurrency 1");
        ScriptedWorker worker = rig.worker("mail");
        start(rig, worker, 1);
        rig.policy("gate a", "concurrency 40; journal 1h");
        start(rig, worker, 1);
        rig.store()
                .policyStore()
                .change(PolicyRequest.of(
                        Rig.key("gate a"),
                        new PolicyEdit.OverrideFor(GatePolicy.parse("concurrency 30"), Duration.ofMinutes(1)),
                        "ada",
                        "for a minute"));
        start(rig, worker, 1);
        rig.advance(Duration.ofMinutes(2));
        start(rig, worker, 1);
        rig.policy("gate a", "");
        start(rig, worker, 1);
        assertThat(entries(rig, "gate a"))
                .extracting(entry -> entry.rule().policy())
                .containsExactly(
                        "concurrency 50", "concurrency 40", "concurrency 30", "concurrency 40", "concurrency 50");
        assertThat(verification(rig, "gate a").isGood()).isTrue();

        Journal readBefore = StoredJournals.of(rig.store().backend(), Rig.key("gate a"));
        rig.policy("gate a", "concurrency 20; journal 1h");
        start(rig, worker, 1);
        assertThat(Proof.of(Rig.key("gate a"), readBefore, null, null).findings())
                .as("a version that is newer than what was read is read")
                .isEmpty();
    }

    @Test
    default void whatStartedWhileNoJournalWasKeptIsNotMissed(Rig rig) {
        rig.policy("gate a", "concurrency 50; journal 1h");
        ScriptedWorker worker = rig.worker("mail");
        for (String policy : List.of("concurrency 50", "concurrency 50; journal 1h")) {
            start(rig, worker, 2);
            worker.finishAll();
            rig.advance(Duration.ofMinutes(1));
            rig.policy("gate a", policy);
        }
        start(rig, worker, 2);
        worker.finishAll();
        Verification verification = verification(rig, "gate a");
        assertThat(verification.findings()).isEmpty();
        assertThat(verification.compared())
                .as("two of the six were not to be in it")
                .isEqualTo(4);
    }

    /** Else a row could go while one before it stays, and what is left would have a gap. */
    @Test
    default void noEntryIsDeletedBeforeTheOnesBeforeIt(Rig rig) {
        rig.policy("gate a", "concurrency 9; journal 10h");
        ScriptedWorker worker = rig.worker("mail");
        start(rig, worker, 1);
        rig.policy("gate a", "concurrency 9; journal 1h");
        start(rig, worker, 2);
        rig.advance(Duration.ofHours(2));
        assertThat(rig.store().pruneJournal()).isZero();
        assertThat(entries(rig, "gate a")).hasSize(3);
        rig.advance(Duration.ofHours(9));
        assertThat(rig.store().pruneJournal()).isEqualTo(3);
    }

    /** Pages are read one after the other, and workers do not wait for that. */
    @Test
    default void aJournalThatGrowsAndIsPrunedWhileItIsReadIsNotBroken(Rig rig) {
        rig.policy("gate a", "concurrency 99; journal 1h");
        ScriptedWorker worker = rig.worker("mail");
        start(rig, worker, 4);
        rig.advance(Duration.ofMinutes(30));
        start(rig, worker, 4);
        GateKey key = Rig.key("gate a");
        Journal meanwhile = new Journal() {
            private int pages;

            @Override
            public List<Entry> after(long id) {
                List<Entry> page = rig.store().journal(key, id, 2);
                if (++pages == 1) {
                    rig.advance(Duration.ofMinutes(30));
                    assertThat(rig.store().pruneJournal()).isEqualTo(4);
                    start(rig, worker, 3);
                }
                return page;
            }

            @Override
            public Standing standing() {
                return rig.store().journalStanding(key);
            }
        };
        Verification verification = Proof.of(key, meanwhile, null, null);
        assertThat(verification.findings()).isEmpty();
        assertThat(List.of(verification.chain().first(), verification.chain().last()))
                .as("up to the row that was the last one when it began")
                .containsExactly(5L, 8L);
    }

    @Test
    default void entriesAreKeptAsLongAsThePolicySaid(Rig rig) {
        rig.policy("gate a", "concurrency 3; journal 1h");
        ScriptedWorker worker = rig.worker("mail");
        rig.enqueue(2, job("mail").gate("a"));
        worker.claim(1);
        rig.advance(Duration.ofMinutes(30));
        worker.claim(1);
        rig.advance(Duration.ofMinutes(31));
        assertThat(rig.store().pruneJournal()).isEqualTo(1);
        assertThat(entries(rig, "gate a")).hasSize(1);
    }
}
