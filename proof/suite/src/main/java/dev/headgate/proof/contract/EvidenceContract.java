package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.evidence.Certificate;
import dev.headgate.evidence.Verification;
import dev.headgate.internal.evidence.Replay;
import dev.headgate.internal.lease.EndedLease;
import dev.headgate.internal.time.Micros;
import dev.headgate.job.JobId;
import dev.headgate.job.Outcome;
import dev.headgate.limit.GateKey;
import dev.headgate.proof.Jobs;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import dev.headgate.spi.GateRow;
import dev.headgate.spi.JournalTable.Entry;
import dev.headgate.spi.JournalTable.Event;
import dev.headgate.spi.JournalTable.Kind;
import dev.headgate.spi.JournalTable.Link;
import dev.headgate.spi.JournalTable.Use;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The journal alone proves that the limits were kept, whatever happened in between; and it would show if not. */
public interface EvidenceContract extends StoreFixture {
    private static Verification verification(Rig rig, String gate) {
        GateKey key = Rig.key(gate);
        return Replay.of(key, after -> rig.store().journal(key, after, 50), null, null);
    }

    @Test
    default void madeUpLoadThroughEveryKindOfLimitIsCertified(Rig rig) {
        Map<String, List<String>> policies = Map.of(
                "queue q", List.of("concurrency 6; window 40/2s", "concurrency 3; window 40/2s", "budget 30"),
                "gate rate", List.of("rate 20/1s burst 4", "rate 9/1s burst 2", "rate 30/1s burst 30 by-cost"),
                "gate window", List.of("window 25/1s by-cost", "window 10/1s by-cost", "window 7/300ms"),
                "gate spaced",
                        List.of("spaced 20/1s", "delay 70ms; spaced 13/1s", "spaced 90/1s by-cost; spaced 25/1s"),
                "gate budget", List.of("budget 12; adaptive 1..5", "budget 9; quota 300/hour Europe/Berlin"));
        certify(rig, policies, new Random(20260101));
    }

    /** Starts that count until their calls, come back early, late or after their margin, and are settled meanwhile. */
    @Test
    default void madeUpLoadIsCertifiedUntilTheCallsToo(Rig rig) {
        Map<String, List<String>> policies = Map.of(
                "queue q", List.of("window 40/2s margin 90ms", "window 40/2s margin end", "window 30/2s margin none"),
                "gate rate",
                        List.of(
                                "rate 30/1s burst 30 by-cost margin 60ms",
                                "rate 20/1s burst 9 margin 40ms",
                                "rate 20/1s burst 9 margin end"),
                "gate window",
                        List.of(
                                "window 25/1s by-cost margin 80ms",
                                "window 25/1s by-cost margin end",
                                "window 7/300ms margin 50ms"),
                "gate spaced",
                        List.of(
                                "spaced 20/1s margin 20ms",
                                "delay 30ms margin end; spaced 20/1s margin 10ms",
                                "spaced 90/1s by-cost margin 10ms"),
                "gate budget", List.of("budget 12; quota 300/hour Europe/Berlin margin 1s", "budget 9; window 90/1s"));
        certify(rig, policies, new Random(20260102));
        List<String> margined = new ArrayList<>();
        for (String gate : policies.keySet()) {
            verification(rig, gate).limits().stream()
                    .filter(limit -> limit.untilCall() != null)
                    .forEach(limit -> margined.add(limit.limit()));
        }
        assertThat(margined).as("limits with two views").hasSizeGreaterThan(5);
        assertThat(verification(rig, "queue q").late()).as("late starts").isPositive();
    }

    private static void certify(Rig rig, Map<String, List<String>> policies, Random random) {
        policies.forEach((gate, choices) -> rig.policy(gate, choices.getFirst() + "; journal 1d"));
        List<String> gates = policies.keySet().stream().sorted().toList();
        List<ScriptedWorker> workers = List.of(rig.worker("q"), rig.worker("q"));
        long started = 0;
        for (int step = 0; step < 250; step++) {
            rig.advance(Duration.ofNanos(random.nextInt(80_000) * 1_000L));
            rig.enqueue(1 + random.nextInt(2), draft(random));
            ScriptedWorker worker = workers.get(random.nextInt(workers.size()));
            started += worker.claim(1 + random.nextInt(6)).size();
            bringBack(worker, random);
            if (step % 40 == 39) {
                String gate = gates.get(random.nextInt(gates.size()));
                List<String> choices = Objects.requireNonNull(policies.get(gate));
                rig.policy(gate, choices.get(random.nextInt(choices.size())) + "; journal 1d");
            }
            if (step % 90 == 89) {
                rig.store().clear(Rig.key(gates.get(random.nextInt(gates.size()))));
            }
            if (step == 120) {
                rig.time().stepBack(Duration.ofMillis(400));
            }
        }
        assertThat(started).as("the load was one").isGreaterThan(100);
        long journaled = 0;
        for (Entry entry : rig.store().journal(Rig.key("queue q"), 0, 100_000)) {
            journaled += entry.event().kind() == Kind.START ? entry.event().starts() : 0;
        }
        assertThat(journaled).as("every start is in the journal").isEqualTo(started);
        for (String gate : gates) {
            Verification verification = verification(rig, gate);
            assertThat(verification.limits())
                    .as(gate)
                    .isNotEmpty()
                    .allSatisfy(limit ->
                            assertThat(limit.examples()).as(limit.limit()).isEmpty());
        }
    }

    private static Jobs.Draft draft(Random random) {
        Jobs.Draft draft = job("q").cost(random.nextInt(5)).attempts(9);
        for (String gate : List.of("rate", "window", "spaced", "budget")) {
            if (random.nextInt(3) == 0) {
                draft.gate(gate);
            }
        }
        return draft;
    }

    private static void bringBack(ScriptedWorker worker, Random random) {
        List<EndedLease> ended = new ArrayList<>();
        for (JobId id : worker.holding()) {
            if (random.nextInt(3) > 0) {
                Map<String, Long> settled = new HashMap<>();
                for (String gate : List.of("window", "rate")) {
                    if (random.nextInt(3) == 0
                            && worker.lease(id).spec().lane().gates().contains(gate)) {
                        settled.put(gate, (long) random.nextInt(9));
                    }
                }
                Outcome outcome =
                        switch (random.nextInt(12)) {
                            case 0, 1 -> new Outcome.RetryAfter(Duration.ofMillis(random.nextInt(50)), "again");
                            case 2 -> new Outcome.Late(Duration.ofMillis(random.nextInt(90)));
                            default -> new Outcome.Succeeded(null);
                        };
                ended.add(new EndedLease(worker.lease(id), outcome, settled));
            }
        }
        worker.turn(0, ended.toArray(EndedLease[]::new));
    }

    @Test
    default void aStartThatWasLateLeavesItsPlaceToTheNext(Rig rig) {
        rig.policy("gate api", "window 1/1s margin 100ms; journal 1d");
        ScriptedWorker worker = rig.worker("q");
        List<JobId> ids = rig.enqueue(2, job("q").gate("api"));
        worker.claim(1);
        rig.advance(Duration.ofMillis(60));
        worker.turn(0, new EndedLease(worker.lease(ids.getFirst()), new Outcome.Late(Duration.ofMillis(60)), Map.of()));
        assertThat(worker.claim(2)).as("one place, as if nothing had started").hasSize(1);
        Verification verification = verification(rig, "gate api");
        assertThat(verification.isGood()).isTrue();
        assertThat(verification.late()).isEqualTo(1);
        assertThat(verification.limits().getFirst().starts()).isEqualTo(1);
        rig.advance(Duration.ofMillis(1_099));
        assertThat(worker.claim(2))
                .as("its call may have been made a second ago")
                .isEmpty();
        rig.advance(Duration.ofMillis(1));
        assertThat(worker.claim(2)).hasSize(1);
        assertThat(verification(rig, "gate api").isGood()).isTrue();
    }

    @Test
    default void aStartThatShouldNotHaveBeenIsFound(Rig rig) {
        rig.policy("gate api", "window 2/1s; concurrency 5; journal 1d");
        ScriptedWorker worker = rig.worker("q");
        rig.enqueue(3, job("q").gate("api"));
        worker.claim(9);
        assertThat(verification(rig, "gate api").isGood()).isTrue();
        Entry real = rig.store().journal(Rig.key("gate api"), 0, 1).getFirst();
        Entry forged = new Entry(
                0,
                real.gate(),
                new Event(
                        real.event().at() + Micros.PER_SECOND - 1, real.event().kind(), 1, 1, 0, 0),
                new Use(1, 1),
                real.rule(),
                Link.none(real.link().keepUntil()));
        rig.store().backend().write(tx -> {
            GateRow row =
                    tx.gates().lock(new TreeSet<>(List.of(forged.gate()))).get().getFirst();
            Entry linked = row.journal().link(forged);
            tx.journal().append(List.of(linked));
            tx.gates().save(List.of(row.withJournal(row.journal().with(linked))));
            return null;
        });
        Verification found = verification(rig, "gate api");
        assertThat(found.violations()).isEqualTo(1);
        Certificate window = found.limits().getFirst();
        assertThat(window.limit()).isEqualTo("window 2/1s");
        assertThat(window.examples().getFirst().figures()).isEqualTo("3 of 2 in the last 1s");
    }

    @Test
    default void clearingAGateIsInItsJournalAndSoIsWhoWasSettled(Rig rig) {
        rig.policy("gate api", "window 10/1h by-cost; journal 1d");
        ScriptedWorker worker = rig.worker("q");
        List<JobId> ids = rig.enqueue(3, job("q").gate("api", 10));
        worker.claim(9);
        Entry start = rig.store().journal(Rig.key("gate api"), 0, 9).getFirst();
        rig.advance(Duration.ofSeconds(1));
        worker.turn(0, new EndedLease(worker.lease(ids.getFirst()), new Outcome.Succeeded(null), Map.of("api", 4L)));
        assertThat(rig.store()
                        .journal(Rig.key("gate api"), 0, 9)
                        .getLast()
                        .event()
                        .startedAt())
                .isEqualTo(start.event().at());
        rig.store().clear(Rig.key("gate api"));
        assertThat(worker.claim(9)).hasSize(1);
        assertThat(rig.store().journal(Rig.key("gate api"), 0, 9))
                .extracting(entry -> entry.event().kind().name())
                .containsExactly("START", "SETTLE", "CLEAR", "START");
        assertThat(verification(rig, "gate api").isGood()).isTrue();
    }
}
