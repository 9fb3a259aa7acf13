package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.headgate.internal.lease.EndedLease;
import dev.headgate.job.JobId;
import dev.headgate.job.Outcome;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** A queue or gate that is shared by time gives each key its weight of the time, whatever its jobs' lengths, with many slots. */
public interface TimeShareContract extends StoreFixture {
    @Test
    default void weightsDivideTheTimeOfShortJobs(Rig rig) {
        rig.policy("queue q", "fair by t:* by-time").policy("gate t:heavy", "weight 3");
        rig.enqueue(700, job("q").gate("t:light"));
        rig.enqueue(700, job("q").gate("t:heavy"));
        Map<String, Long> got =
                serve(rig, rig.worker("q"), 2, Duration.ofSeconds(3), Map.of("t:light", 20L, "t:heavy", 20L));
        assertThat(got.get("t:heavy")).isCloseTo(4_500, lessThanWhatRuns(2, 20));
        assertThat(got.get("t:light")).isCloseTo(1_500, lessThanWhatRuns(2, 20));
    }

    @Test
    default void jobsOfAnyLengthGetTheSameTime(Rig rig) {
        rig.policy("queue q", "fair by t:* by-time");
        rig.enqueue(900, job("q").gate("t:quick"));
        rig.enqueue(90, job("q").gate("t:slow"));
        Map<String, Long> got =
                serve(rig, rig.worker("q"), 4, Duration.ofSeconds(6), Map.of("t:slow", 400L, "t:quick", 20L));
        assertThat(got.get("t:slow")).isCloseTo(12_000, lessThanWhatRuns(2, 400));
        assertThat(got.get("t:quick")).isCloseTo(12_000, lessThanWhatRuns(2, 400));
    }

    @Test
    default void longJobsThatComeLaterLeaveTheOthersTheirPart(Rig rig) {
        rig.policy("queue q", "fair by t:* by-time");
        rig.enqueue(400, job("q").gate("t:quick"));
        ScriptedWorker worker = rig.worker("q");
        Map<JobId, Long> quick = new HashMap<>();
        int slow = 0;
        int slots = 1;
        for (long now = 0; now < 400; now += 2) {
            if (now == 100) {
                rig.enqueue(20, job("q").gate("t:slow"));
            }
            long instant = now;
            List<JobId> ended = quick.entrySet().stream()
                    .filter(each -> each.getValue() <= instant)
                    .map(Map.Entry::getKey)
                    .toList();
            finish(worker, ended);
            quick.keySet().removeAll(ended);
            for (JobId id : worker.claim(slots - slow - quick.size())) {
                if (tenant(worker, id).equals("t:slow")) {
                    slow++;
                } else {
                    quick.put(id, now + 20);
                }
            }
            // One more at a time, so that the jobs end one after the other.
            slots = Math.min(10, slots + 1);
            rig.advance(Duration.ofMillis(2));
        }
        assertThat(slow).isBetween(5, 7);
        assertThat(quick).hasSize(10 - slow);
    }

    @Test
    default void theTimeAtAGateIsDividedToo(Rig rig) {
        rig.policy("gate api", "concurrency 4; fair by t:* by-time").policy("gate t:quick", "weight 3");
        for (int lane = 0; lane < 4; lane++) {
            rig.enqueue(100, job("q").gate("api").gate("t:quick").gate("page " + lane));
        }
        rig.enqueue(400, job("q").gate("api").gate("t:quick"));
        rig.enqueue(50, job("q").gate("api").gate("t:slow"));
        Map<String, Long> got =
                serve(rig, rig.worker("q"), 9, Duration.ofSeconds(4), Map.of("t:slow", 200L, "t:quick", 20L));
        assertThat(got.get("t:quick")).isCloseTo(12_000, lessThanWhatRuns(3, 200));
        assertThat(got.get("t:slow")).isCloseTo(4_000, lessThanWhatRuns(3, 200));
    }

    @Test
    default void aTenantThatRanAloneOwesNothing(Rig rig) {
        rig.policy("queue q", "fair by t:* by-time");
        ScriptedWorker worker = rig.worker("q");
        rig.enqueue(4, job("q").gate("t:alone"));
        serve(rig, worker, 4, Duration.ofHours(1), Map.of("t:alone", 3_600_000L));
        rig.enqueue(100, job("q").gate("t:other"));
        rig.advance(Duration.ofMinutes(1));
        Map<String, Long> lengths = Map.of("t:alone", 100L, "t:other", 100L);
        serve(rig, worker, 4, Duration.ofSeconds(1), lengths);
        rig.enqueue(100, job("q").gate("t:alone"));
        Map<String, Long> got = serve(rig, worker, 4, Duration.ofSeconds(1), lengths);
        assertThat(got.get("t:alone")).isCloseTo(2_000, lessThanWhatRuns(4, 100));
    }

    @Test
    default void aTenantThatWasIdleHasSavedNothing(Rig rig) {
        rig.policy("queue q", "fair by t:* by-time");
        ScriptedWorker worker = rig.worker("q");
        rig.enqueue(200, job("q").gate("t:busy"));
        rig.enqueue(1, job("q").gate("t:idle"));
        Map<String, Long> lengths = Map.of("t:busy", 100L, "t:idle", 100L);
        serve(rig, worker, 4, Duration.ofSeconds(3), lengths);
        rig.enqueue(100, job("q").gate("t:idle"));
        Map<String, Long> got = serve(rig, worker, 4, Duration.ofSeconds(1), lengths);
        assertThat(got.get("t:idle")).isCloseTo(2_000, lessThanWhatRuns(4, 100));
    }

    @Test
    default void timeIsChargedToALostWorkersJobToo(Rig rig) {
        rig.policy("queue q", "fair by t:* by-time");
        rig.enqueue(job("q").gate("t:lost"));
        ScriptedWorker lost = rig.worker("q");
        assertThat(lost.claim(1)).hasSize(1);
        rig.enqueue(51, job("q").gate("t:quick"));
        ScriptedWorker worker = rig.worker("q");
        worker.finish(worker.claim(1).getFirst());
        rig.lose(lost);
        Map<String, Long> got = serve(rig, worker, 1, Duration.ofSeconds(2), Map.of("t:quick", 100L, "t:lost", 100L));
        assertThat(got).containsOnlyKeys("t:quick");
    }

    @Test
    default void aRunningJobThatIsDeletedCostsNoFurther(Rig rig) {
        rig.policy("queue q", "fair by t:* by-time");
        ScriptedWorker worker = rig.worker("q");
        JobId gone = rig.enqueue(job("q").gate("t:a"));
        assertThat(worker.claim(1)).containsExactly(gone);
        rig.enqueue(100, job("q").gate("t:a"));
        rig.enqueue(100, job("q").gate("t:b"));
        rig.store().delete(gone);
        Map<String, Long> lengths = Map.of("t:a", 100L, "t:b", 100L);
        Map<String, Long> got = serve(rig, worker, 2, Duration.ofSeconds(4), lengths);
        assertThat(got.get("t:a")).isCloseTo(4_000, lessThanWhatRuns(2, 100));
    }

    @Test
    default void nothingStaysCountedWhenTheChargeChanges(Rig rig) {
        rig.policy("queue q", "fair by t:* by-time");
        ScriptedWorker worker = rig.worker("q");
        List<JobId> running = new ArrayList<>(rig.enqueue(2, job("q").gate("t:a")));
        assertThat(worker.claim(2)).containsExactlyElementsOf(running);
        rig.policy("queue q", "fair by t:*");
        worker.finishAll();
        rig.enqueue(2, job("q").gate("t:c"));
        assertThat(worker.claim(2)).hasSize(2);
        rig.policy("queue q", "fair by t:* by-time");
        rig.enqueue(100, job("q").gate("t:a"));
        rig.enqueue(100, job("q").gate("t:b"));
        Map<String, Long> got = serve(rig, worker, 2, Duration.ofSeconds(4), Map.of("t:a", 100L, "t:b", 100L));
        assertThat(got.get("t:a")).isCloseTo(4_000, lessThanWhatRuns(2, 100));
    }

    @Test
    default void moreTenantsThanOneLookCanSeeGetTheSameTime(Rig rig) {
        rig.policy("queue q", "fair by t:* by-time");
        Map<String, Long> lengths = new HashMap<>();
        for (int tenant = 0; tenant < 90; tenant++) {
            rig.enqueue(12, job("q").gate("t:" + tenant));
            lengths.put("t:" + tenant, tenant % 2 == 0 ? 100L : 300L);
        }
        Map<String, Long> got = serve(rig, rig.worker("q"), 120, Duration.ofMillis(900), lengths);
        assertThat(got).hasSize(90);
        // 1,200 ms for each, and at most two of 300 ms run at once
        assertThat(got.values()).allSatisfy(each -> assertThat(each).isBetween(600L, 1_800L));
    }

    @Test
    default void whatACostIsSettledToIsWhatCounts(Rig rig) {
        rig.policy("gate api", "concurrency 2; fair by t:* by-cost");
        rig.enqueue(60, job("q").gate("api").gate("t:dear").cost(1));
        rig.enqueue(60, job("q").gate("api").gate("t:cheap").cost(1));
        rig.enqueue(60, job("q").gate("api").gate("t:guessed").cost(9));
        ScriptedWorker worker = rig.worker("q");
        Map<String, Integer> units = new TreeMap<>();
        for (int turn = 0; turn < 40; turn++) {
            EndedLease[] ended = worker.claim(6).stream()
                    .map(id -> {
                        int actual = tenant(worker, id).equals("t:dear") ? 9 : 1;
                        units.merge(tenant(worker, id), actual, Integer::sum);
                        return new EndedLease(
                                worker.lease(id), new Outcome.Succeeded(null), Map.of("api", (long) actual));
                    })
                    .toArray(EndedLease[]::new);
            worker.turn(0, ended);
        }
        // 80 starts: 38 and 38 of one unit, 4 of nine
        assertThat(units.get("t:dear")).isBetween(27, 54);
        assertThat(units.get("t:cheap")).isBetween(33, 43);
        assertThat(units.get("t:guessed")).isBetween(33, 43);
    }

    /** What each tenant got, in milliseconds, while a worker kept its slots full and each job ran as long as its tenant's do. */
    private static Map<String, Long> serve(
            Rig rig, ScriptedWorker worker, int slots, Duration during, Map<String, Long> lengths) {
        Map<String, Long> got = new HashMap<>();
        TreeMap<Long, List<JobId>> ends = new TreeMap<>();
        long now = 0;
        while (now < during.toMillis()) {
            int running = ends.values().stream().mapToInt(List::size).sum();
            for (JobId id : worker.claim(slots - running)) {
                long end = now + Objects.requireNonNull(lengths.get(tenant(worker, id)));
                got.merge(tenant(worker, id), Math.min(end, during.toMillis()) - now, Long::sum);
                ends.computeIfAbsent(end, each -> new ArrayList<>()).add(id);
            }
            Map.Entry<Long, List<JobId>> next = ends.pollFirstEntry();
            rig.advance(Duration.ofMillis(next.getKey() - now));
            now = next.getKey();
            finish(worker, next.getValue());
        }
        ends.values().forEach(left -> finish(worker, left));
        return got;
    }

    private static void finish(ScriptedWorker worker, List<JobId> jobs) {
        worker.turn(
                0,
                jobs.stream()
                        .map(id -> new EndedLease(worker.lease(id), new Outcome.Succeeded(null)))
                        .toArray(EndedLease[]::new));
    }

    private static String tenant(ScriptedWorker worker, JobId id) {
        return worker.lease(id).spec().lane().gates().stream()
                .filter(gate -> gate.startsWith("t:"))
                .findFirst()
                .orElseThrow();
    }

    private static Offset<Long> lessThanWhatRuns(int atOnce, long millis) {
        return within(atOnce * millis);
    }
}
