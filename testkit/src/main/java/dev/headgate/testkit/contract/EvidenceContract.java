package dev.headgate.testkit.contract;

import static dev.headgate.testkit.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.admission.GateKey;
import dev.headgate.admission.Micros;
import dev.headgate.evidence.Certificate;
import dev.headgate.evidence.Replay;
import dev.headgate.evidence.Verdict;
import dev.headgate.job.JobId;
import dev.headgate.job.Outcome;
import dev.headgate.store.JournalTable.Entry;
import dev.headgate.testkit.Jobs;
import dev.headgate.testkit.Rig;
import dev.headgate.testkit.ScriptedWorker;
import dev.headgate.testkit.StoreFixture;
import dev.headgate.transition.Ended;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The journal alone proves that the limits were kept, whatever happened in between; and it would show if not. */
public interface EvidenceContract extends StoreFixture {
    private static Verdict verdict(Rig rig, String gate) {
        GateKey key = Rig.key(gate);
        return Replay.of(key, after -> rig.store().journal(key, after, 50), null, null);
    }

    @Test
    default void madeUpLoadThroughEveryKindOfLimitIsCertified(Rig rig) {
        Map<String, List<String>> policies = Map.of(
                "queue q", List.of("concurrency 6; window 40/2s", "concurrency 3; window 40/2s", "budget 30"),
                "gate rate", List.of("rate 20/1s burst 4", "rate 9/1s burst 2", "rate 30/1s burst 30 by-cost"),
                "gate window", List.of("window 25/1s by-cost", "window 10/1s by-cost", "window 7/300ms"),
                "gate spaced", List.of("spaced 20/1s", "delay 70ms", "spaced 90/1s by-cost"),
                "gate budget", List.of("budget 12; adaptive 1..5", "budget 9; quota 300/hour Europe/Berlin"));
        Random random = new Random(20260101);
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
            journaled += entry.starts();
        }
        assertThat(journaled).as("every start is in the journal").isEqualTo(started);
        for (String gate : gates) {
            Verdict verdict = verdict(rig, gate);
            assertThat(verdict.limits())
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
        List<Ended> ended = new ArrayList<>();
        for (JobId id : worker.holding()) {
            if (random.nextInt(3) > 0) {
                boolean isSettled = random.nextInt(3) == 0
                        && worker.lease(id).spec().lane().gates().contains("window");
                Outcome outcome = random.nextInt(6) == 0
                        ? new Outcome.RetryAfter(Duration.ofMillis(random.nextInt(50)), "again")
                        : new Outcome.Succeeded(null);
                ended.add(new Ended(
                        worker.lease(id), outcome, isSettled ? Map.of("window", (long) random.nextInt(9)) : Map.of()));
            }
        }
        worker.turn(0, ended.toArray(Ended[]::new));
    }

    @Test
    default void aStartThatShouldNotHaveBeenIsFound(Rig rig) {
        rig.policy("gate api", "window 2/1s; concurrency 5; journal 1d");
        ScriptedWorker worker = rig.worker("q");
        rig.enqueue(3, job("q").gate("api"));
        worker.claim(9);
        assertThat(verdict(rig, "gate api").isGood()).isTrue();
        Entry real = rig.store().journal(Rig.key("gate api"), 0, 1).getFirst();
        Entry forged = new Entry(
                0,
                real.gate(),
                real.at() + Micros.PER_SECOND - 1,
                real.kind(),
                1,
                1,
                1,
                1,
                0,
                real.policy(),
                real.keepUntil());
        rig.store().backend().write(tx -> {
            tx.journal().append(List.of(forged));
            return null;
        });
        Verdict found = verdict(rig, "gate api");
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
        worker.turn(0, new Ended(worker.lease(ids.getFirst()), new Outcome.Succeeded(null), Map.of("api", 4L)));
        assertThat(rig.store().journal(Rig.key("gate api"), 0, 9).getLast().startedAt())
                .isEqualTo(start.at());
        rig.store().clear(Rig.key("gate api"));
        assertThat(worker.claim(9)).hasSize(1);
        assertThat(rig.store().journal(Rig.key("gate api"), 0, 9))
                .extracting(entry -> entry.kind().name())
                .containsExactly("START", "SETTLE", "CLEAR", "START");
        assertThat(verdict(rig, "gate api").isGood()).isTrue();
    }
}
