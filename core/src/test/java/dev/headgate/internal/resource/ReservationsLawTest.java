package dev.headgate.internal.resource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.admission.ClaimPlan.Head;
import dev.headgate.internal.admission.ClaimPlan.Unfit;
import dev.headgate.internal.admission.JobFit;
import dev.headgate.internal.resource.ProfileLearner.Declared;
import dev.headgate.internal.resource.ProfileLearner.Finish;
import dev.headgate.internal.resource.Reservations.Reservation;
import dev.headgate.job.Cost;
import dev.headgate.resource.Headroom;
import dev.headgate.resource.Needs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Laws of a worker's room, over floods that were made up, in virtual time. */
class ReservationsLawTest {
    private static final int DESKS = 10;
    private static final long RUN_MAX_SECONDS = 8;

    @TempDir
    Path root;

    private final AtomicLong nanos = new AtomicLong();

    private record Running(Head head, Reservation reservation, long endNanos) {}

    private Reservations reservations(Headroom headroom, Map<String, Needs> needs) {
        Map<String, Declared> declared = new java.util.HashMap<>();
        needs.forEach((type, need) -> declared.put(type, new Declared(need, null)));
        return new Reservations(headroom, declared, Set.of(), new ProcessResources(), root, nanos::get);
    }

    private static long desks(Head head) {
        return Long.parseLong(head.type());
    }

    private static Map<String, Needs> types() {
        Map<String, Needs> types = new java.util.HashMap<>();
        for (int desks = 1; desks <= DESKS + 1; desks++) {
            types.put(Integer.toString(desks), Needs.of("desk", desks));
        }
        return types;
    }

    /** More light ones always come, and still each that could fit starts: soon after those of its patience have ended. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void whatIsAtWorkFitsAndNothingThatCouldStartWaitsForEver(long seed) {
        Random random = new Random(seed);
        Reservations reservations = reservations(Headroom.system().amount("desk", DESKS), types());
        List<Head> waiting = new ArrayList<>();
        List<Running> running = new ArrayList<>();
        long second = Duration.ofSeconds(1).toNanos();
        long job = 0;
        for (int step = 0; step < 3_000; step++) {
            nanos.addAndGet(second / 4);
            for (Iterator<Running> all = running.iterator(); all.hasNext(); ) {
                Running each = all.next();
                if (each.endNanos() <= nanos.get()) {
                    each.reservation().end(Finish.WHOLE);
                    all.remove();
                }
            }
            if (step % 3 == 0) {
                waiting.add(new Head(++job, nanos.get() + job, Cost.ONE, "1"));
            }
            if (step % 40 == 0) {
                waiting.add(new Head(++job, nanos.get() + job, Cost.ONE, heavy(random)));
            }
            start(reservations, waiting, running, random);

            assertThat(running.stream().mapToLong(each -> desks(each.head())).sum())
                    .as("desks in use at step %d", step)
                    .isLessThanOrEqualTo(DESKS);
            for (Head head : waiting) {
                boolean isOldest = waiting.stream()
                        .filter(other -> desks(other) <= DESKS && desks(other) > 1)
                        .findFirst()
                        .filter(head::equals)
                        .isPresent();
                if (isOldest) {
                    long waited = nanos.get() - (head.rank() - head.job());
                    assertThat(waited / second)
                            .as("seconds that job %d of %s desks waited", head.job(), head.type())
                            .isLessThan(60);
                }
            }
        }
        assertThat(job - waiting.size()).as("jobs started").isGreaterThan(900);
    }

    /** From two desks up to more than there are. */
    private static String heavy(Random random) {
        return Integer.toString(2 + random.nextInt(DESKS));
    }

    private void start(Reservations reservations, List<Head> waiting, List<Running> running, Random random) {
        JobFit fit = reservations.fit(TimeLeft.FOR_EVER);
        JobFit.Trial trial = fit.trial();
        List<Unfit> unfit = new ArrayList<>();
        List<Head> started = new ArrayList<>();
        int seen = 0;
        for (Head head : waiting) {
            if (seen++ > 64 + fit.sight()) {
                break;
            }
            if (trial.take(head)) {
                started.add(head);
            } else {
                unfit.add(new Unfit(head, "lane", "q"));
            }
        }
        waiting.removeAll(started);
        for (Head head : started) {
            long run = Duration.ofMillis(random.nextLong(100, RUN_MAX_SECONDS * 1_000))
                    .toNanos();
            running.add(new Running(head, reservations.admit(head.job(), head.type()), nanos.get() + run));
        }
        reservations.note(unfit, seen > 64 + fit.sight());
    }

    @Test
    void aTrialThatIsRunAgainFindsAllItsRoom() {
        Reservations reservations = reservations(Headroom.system().amount("desk", 1), types());
        JobFit fit = reservations.fit(TimeLeft.FOR_EVER);
        Head head = new Head(1, 1, Cost.ONE, "1");
        for (int i = 0; i < 2; i++) {
            JobFit.Trial trial = fit.trial();
            assertThat(trial.take(head)).isTrue();
            assertThat(trial.take(head)).isFalse();
        }
    }

    @Test
    void aGaugeThatThrowsMeansNoRoomUntilItAnswersAgain() {
        AtomicLong free = new AtomicLong(2);
        Reservations reservations = reservations(
                Headroom.system().gauge("desk", () -> {
                    if (free.get() < 0) {
                        throw new IllegalStateException("planted: no answer");
                    }
                    return free.get();
                }),
                types());
        Head head = new Head(1, 1, Cost.ONE, "2");
        assertThat(reservations.fit(TimeLeft.FOR_EVER).trial().take(head)).isTrue();
        for (long now : new long[] {-1, 1, 2}) {
            free.set(now);
            nanos.addAndGet(Duration.ofSeconds(1).toNanos());
            assertThat(reservations.fit(TimeLeft.FOR_EVER).trial().take(head)).isEqualTo(now == 2);
        }
    }

    @Test
    void whoNeedsNothingAndHasAllTheTimePaysNothing() {
        Reservations reservations = reservations(Headroom.system().unknown(Needs.NONE), Map.of());
        assertThat(reservations.fit(TimeLeft.FOR_EVER)).isSameAs(JobFit.ALWAYS);
    }

    private static boolean starts(Reservations reservations, String type) {
        return reservations.fit(TimeLeft.FOR_EVER).trial().take(new Head(1, 1, Cost.ONE, type));
    }

    private static List<Reservation> startAll(Reservations reservations, String type) {
        List<Reservation> held = new ArrayList<>();
        while (held.size() < 100 && starts(reservations, type)) {
            Reservation reservation = reservations.admit(held.size(), type);
            reservation.begin();
            held.add(reservation);
        }
        return held;
    }

    @Test
    void ofAnUnknownTypeThreeRunAtOnceUntilOneHasEnded() {
        Reservations reservations = reservations(Headroom.system(), Map.of());
        List<Reservation> held = startAll(reservations, "new");
        assertThat(held).hasSize(3).allMatch(Reservation::isMeasured);
        assertThat(starts(reservations, "other")).as("they share the memory").isFalse();
        held.getFirst().end(Finish.FAILED);
        assertThat(startAll(reservations, "new"))
                .as("a failure does not show what a run takes")
                .hasSize(1);
        held.get(1).end(Finish.WHOLE);
        assertThat(startAll(reservations, "new")).hasSize(100);
        assertThat(starts(reservations, "other"))
                .as("the others gave back what they kept")
                .isTrue();
    }

    /** Both looked before either took anything: what the second claims is not there any more. */
    @Test
    void twoWorkersThatLookAtTheSameMomentDoNotTakeTheSameRoom() {
        ProcessResources process = new ProcessResources();
        Map<String, Declared> none = Map.of();
        Reservations first = new Reservations(Headroom.system(), none, Set.of(), process, root, nanos::get);
        Reservations second = new Reservations(Headroom.system(), none, Set.of(), process, root, nanos::get);
        JobFit.Trial here = first.fit(TimeLeft.FOR_EVER).trial();
        JobFit.Trial there = second.fit(TimeLeft.FOR_EVER).trial();
        List<Reservation> held = new ArrayList<>();
        for (int job = 0; job < 3; job++) {
            assertThat(here.take(new Head(job, 1, Cost.ONE, "new"))).isTrue();
            assertThat(there.take(new Head(10 + job, 1, Cost.ONE, "new"))).isTrue();
        }
        for (int job = 0; job < 3; job++) {
            held.add(first.admit(job, "new"));
            assertThat(held.getLast()).isNotNull();
        }
        assertThat(second.admit(10, "new")).isNull();
        held.forEach(reservation -> reservation.end(Finish.FAILED));
        assertThat(second.admit(10, "new")).isNotNull();
    }

    @Test
    void anUnknownTypeIsTakenToNeedLessTheLongerItRuns() {
        Reservations reservations = reservations(Headroom.system(), Map.of());
        assertThat(startAll(reservations, "slow")).hasSize(3);
        nanos.addAndGet(Duration.ofSeconds(9).toNanos());
        assertThat(startAll(reservations, "slow")).isEmpty();
        nanos.addAndGet(Duration.ofSeconds(2).toNanos());
        assertThat(startAll(reservations, "slow")).as("after twice 5 seconds").hasSize(3);
    }

    @Test
    void theFirstRunsAreMeasuredAndOneInSixteenAfterThem() {
        Reservations reservations = reservations(Headroom.system(), Map.of());
        List<Boolean> measured = new ArrayList<>();
        for (int job = 0; job < 165; job++) {
            Reservation reservation = reservations.admit(job, "type");
            reservation.begin();
            reservation.end(Finish.WHOLE);
            measured.add(reservation.isMeasured());
        }
        assertThat(measured.subList(0, 5)).doesNotContain(false);
        assertThat(measured.subList(5, 165).stream().filter(each -> each)).hasSize(10);
    }

    /** Their work is done on another thread: they would look as if they needed nothing, or stay unknown for ever. */
    @Test
    void membersOfABatchAreNeitherMeasuredNorGuessed() {
        Reservations reservations = new Reservations(
                Headroom.system(), Map.of(), Set.of("batch"), new ProcessResources(), root, nanos::get);
        assertThat(startAll(reservations, "batch")).hasSize(100).noneMatch(Reservation::isMeasured);
        assertThat(reservations.learner().takeFresh()).isEmpty();
    }

    @Test
    void measuredMemoryNeverKeepsAJobFromAnIdleWorker() {
        Reservations reservations = reservations(Headroom.system(), Map.of());
        Profile huge = new Profile();
        for (int i = 0; i < Profile.SAMPLES_MIN; i++) {
            huge.used(1L << 50);
        }
        reservations.learn(Map.of("huge", huge));
        Head head = new Head(1, 1, Cost.ONE, "huge");
        assertThat(reservations.fit(TimeLeft.FOR_EVER).trial().take(head)).isTrue();
        Reservation reservation = reservations.admit(1, "huge");
        assertThat(reservations.fit(TimeLeft.FOR_EVER).trial().take(head))
                .as("two at once")
                .isFalse();
        reservation.end(Finish.WHOLE);
        assertThat(reservations.fit(TimeLeft.FOR_EVER).trial().take(head)).isTrue();
    }
}
