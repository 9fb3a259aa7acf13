package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headgate.figure.FigureFilter;
import dev.headgate.figure.FigureKind;
import dev.headgate.figure.FigurePoint;
import dev.headgate.figure.FigurePoint.Counts;
import dev.headgate.figure.FigureReport;
import dev.headgate.figure.FigureSeries;
import dev.headgate.internal.figure.FigureKeeper;
import dev.headgate.internal.figure.ReadFigures;
import dev.headgate.internal.time.Micros;
import dev.headgate.job.JobId;
import dev.headgate.job.ParkReason;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import dev.headgate.spi.FigureRow;
import dev.headgate.spi.FigureRow.Grain;
import dev.headgate.spi.FigureTable.Range;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What happens is counted, interval by interval: once, in few rows, and for some time only. */
public interface FigureContract extends StoreFixture {
    private static void keep(Rig rig) {
        new FigureKeeper(rig.store().backend()).run();
    }

    /** Lets intervals end, and numbers of jobs be old enough to be counted, and does what maintenance does. */
    private static void settle(Rig rig) {
        for (int looks = 0; looks < 3; looks++) {
            keep(rig);
            rig.advance(Duration.ofSeconds(10));
        }
        keep(rig);
    }

    private static FigureReport read(Rig rig, FigureFilter filter) {
        return rig.store().backend().read(tx -> ReadFigures.report(tx, filter));
    }

    private static List<FigureSeries> totals(Rig rig) {
        return rig.store().backend().read(ReadFigures::totals);
    }

    private static FigureSeries series(List<FigureSeries> all, FigureKind kind, String name) {
        return all.stream()
                .filter(each -> each.kind() == kind && each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new NoSuchElementException("%s %s in %s"
                        .formatted(
                                kind, name, all.stream().map(FigureSeries::name).toList())));
    }

    /** Everything of the last hour, in one interval. */
    private static FigurePoint hour(Rig rig, FigureKind kind, String name) {
        FigureFilter filter = new FigureFilter(
                Duration.ofHours(2), null, Duration.ofHours(2), kind == FigureKind.KEY ? FigureKind.GATE : kind, name);
        FigureReport report = read(rig, filter);
        long at = report.series().getFirst().points().size() - 1L;
        assertThat(at).isLessThanOrEqualTo(1);
        return series(report.series(), kind, name).points().stream()
                .filter(point -> point.counts().started() > 0 || point.counts().enqueued() > 0)
                .findFirst()
                .orElse(series(report.series(), kind, name).points().getLast());
    }

    private static List<FigureRow> rows(Rig rig, Grain grain) {
        return rig.store().backend().read(tx -> tx.figures().find(grain, Range.of(0, Long.MAX_VALUE), 100_000));
    }

    @Test
    default void whatTurnsDoIsCountedByQueueTypeAndGate(Rig rig) {
        rig.policy("gate tenant:*", "concurrency 99");
        ScriptedWorker worker = rig.worker("mail");
        List<JobId> ids =
                rig.enqueue(6, job("mail").type("send").gate("tenant:7").cost(2));
        assertThat(worker.claim(6)).hasSize(6);
        rig.advance(Duration.ofSeconds(2));
        worker.finish(ids.get(0));
        worker.fail(ids.get(1), "broken");
        worker.retryAfter(ids.get(2), Duration.ofHours(1));
        worker.handBack(ids.get(3));
        worker.park(ids.get(4), ParkReason.UNKNOWN_HANDLER);
        rig.store().cancel(ids.get(5));
        worker.cancelled(ids.get(5));
        settle(rig);
        Counts expected = new Counts(6, 6, 12, 1, 1, 1, 1, 0, 2);
        assertThat(hour(rig, FigureKind.QUEUE, "mail").counts()).isEqualTo(expected);
        assertThat(hour(rig, FigureKind.TYPE, "send").counts()).isEqualTo(expected);
        assertThat(hour(rig, FigureKind.GATE, "tenant:*").counts()).isEqualTo(expected);
        assertThat(hour(rig, FigureKind.KEY, "tenant:7").counts()).isEqualTo(expected);
        assertThat(expected.ended()).isEqualTo(6);
    }

    @Test
    default void aLostAttemptIsCountedWhereItsJobIsTakenBack(Rig rig) {
        ScriptedWorker doomed = rig.worker("mail");
        JobId id = rig.enqueue(job("mail"));
        doomed.claim(1);
        rig.lose(doomed);
        ScriptedWorker other = rig.worker("mail");
        rig.advance(Duration.ofMinutes(1));
        assertThat(other.claim(1)).containsExactly(id);
        other.finish(id);
        settle(rig);
        Counts counts = hour(rig, FigureKind.QUEUE, "mail").counts();
        assertThat(counts).isEqualTo(new Counts(1, 2, 2, 1, 0, 0, 0, 1, 0));
    }

    @Test
    default void waitsAndRunsAreMeasuredInStoreTime(Rig rig) {
        ScriptedWorker worker = rig.worker("mail");
        rig.enqueue(job("mail"));
        rig.advance(Duration.ofSeconds(5));
        JobId later = rig.enqueue(job("mail").after(Duration.ofSeconds(40)));
        worker.claim(1);
        rig.advance(Duration.ofMillis(700));
        worker.finishAll();
        rig.advance(Duration.ofSeconds(40));
        assertThat(worker.claim(1)).containsExactly(later);
        settle(rig);
        FigurePoint point = hour(rig, FigureKind.QUEUE, "mail");
        assertThat(point.waited().count()).isEqualTo(2);
        assertThat(point.waited().total()).isEqualTo(Duration.ofMillis(5_700));
        assertThat(point.waited().percentile(100)).isEqualTo(Duration.ofSeconds(10));
        assertThat(point.waited().percentile(50)).isEqualTo(Duration.ofSeconds(1));
        assertThat(point.ran().count()).isEqualTo(1);
        assertThat(point.ran().mean()).isEqualTo(Duration.ofMillis(700));
    }

    @Test
    default void anIntervalIsWrittenWithAHeartbeatOrATurn(Rig rig) {
        ScriptedWorker worker = rig.worker("mail");
        rig.enqueue(2, job("mail"));
        worker.claim(1);
        worker.heartbeat();
        assertThat(rows(rig, Grain.PART)).as("the interval is not over").isEmpty();
        rig.time().advance(Duration.ofSeconds(10));
        worker.heartbeat();
        assertThat(rows(rig, Grain.PART)).as("with a heartbeat").hasSize(1);
        worker.claim(1);
        rig.time().advance(Duration.ofSeconds(10));
        worker.turn(0);
        assertThat(rows(rig, Grain.PART)).as("with a turn").hasSize(2);
    }

    @Test
    default void aWorkerThatLeavesWritesTheIntervalThatIsNotOver(Rig rig) {
        ScriptedWorker worker = rig.worker("mail");
        rig.enqueue(job("mail"));
        worker.claim(1);
        worker.finishAll();
        worker.leave();
        settle(rig);
        Counts counts = hour(rig, FigureKind.QUEUE, "mail").counts();
        assertThat(counts.started()).isEqualTo(1);
        assertThat(counts.succeeded()).isEqualTo(1);
    }

    @Test
    default void whatIsInUseIsThatOfTheEndOfEachInterval(Rig rig) {
        rig.policy("gate api", "concurrency 5");
        ScriptedWorker worker = rig.worker("mail");
        ScriptedWorker other = rig.worker("mail");
        List<JobId> ids = rig.enqueue(5, job("mail").gate("api"));
        worker.claim(3);
        other.claim(2);
        rig.advance(Duration.ofSeconds(20));
        worker.finishAll();
        rig.advance(Duration.ofSeconds(10));
        worker.heartbeat();
        assertThat(other.holding()).hasSize(2).isSubsetOf(ids);
        FigureReport report = read(
                rig,
                FigureFilter.last(Duration.ofSeconds(30))
                        .step(FigureFilter.FINE)
                        .gate("api"));
        assertThat(report.series().getFirst().points())
                .extracting(FigurePoint::inUse)
                .containsExactly(5L, 5L, 2L);
        settle(rig);
        FigureReport longer = read(
                rig,
                FigureFilter.last(Duration.ofMinutes(10))
                        .step(FigureFilter.COARSE)
                        .gate("api"));
        assertThat(longer.series().getFirst().points())
                .extracting(FigurePoint::inUse)
                .contains(5L);
    }

    @Test
    default void aWorkerThatIsLostHasNothingInUseAnyMore(Rig rig) {
        ScriptedWorker doomed = rig.worker("mail");
        rig.enqueue(job("mail"));
        doomed.claim(1);
        rig.lose(doomed);
        rig.worker("mail");
        settle(rig);
        FigureReport report = read(
                rig,
                FigureFilter.last(Duration.ofSeconds(10))
                        .step(FigureFilter.FINE)
                        .queue("mail"));
        assertThat(report.series())
                .allSatisfy(each -> assertThat(each.points())
                        .allSatisfy(point -> assertThat(point.inUse()).isZero()));
    }

    @Test
    default void refusalsAreCountedByLimit(Rig rig) {
        rig.policy("gate tenant:*", "concurrency 1");
        rig.policy("queue slow", "concurrency 1");
        ScriptedWorker worker = rig.worker("mail", "slow");
        rig.enqueue(2, job("mail").gate("tenant:1"));
        rig.enqueue(2, job("mail").gate("tenant:2"));
        rig.enqueue(2, job("slow"));
        assertThat(worker.claimAll()).hasSize(3);
        settle(rig);
        assertThat(hour(rig, FigureKind.GATE, "tenant:*").refused()).containsOnlyKeys("concurrency 1");
        assertThat(hour(rig, FigureKind.GATE, "tenant:*").refusals()).isGreaterThanOrEqualTo(2);
        assertThat(hour(rig, FigureKind.KEY, "tenant:1").refused()).containsOnlyKeys("concurrency 1");
        assertThat(hour(rig, FigureKind.QUEUE, "slow").refused()).containsOnlyKeys("concurrency 1");
        assertThat(hour(rig, FigureKind.QUEUE, "mail").refused()).isEmpty();
    }

    @Test
    default void everyNewJobIsCountedOnceWhateverBecameOfIt(Rig rig) {
        ScriptedWorker worker = rig.worker("mail");
        rig.enqueue(3, job("mail"));
        worker.claim(2);
        worker.finishAll();
        settle(rig);
        settle(rig);
        rig.enqueue(4, job("mail"));
        settle(rig);
        assertThat(hour(rig, FigureKind.QUEUE, "mail").counts().enqueued()).isEqualTo(7);
        assertThat(series(totals(rig), FigureKind.TYPE, "work")
                        .points()
                        .getFirst()
                        .counts()
                        .enqueued())
                .isEqualTo(7);
    }

    @Test
    default void newJobsOfATimeWithoutWorkersAreCountedWhereTheyCameIn(Rig rig) {
        rig.enqueue(2, job("mail"));
        rig.advance(Duration.ofMinutes(2));
        rig.enqueue(3, job("mail"));
        rig.advance(Duration.ofMinutes(2));
        settle(rig);
        FigureFilter filter = FigureFilter.last(Duration.ofMinutes(6))
                .step(Duration.ofMinutes(1))
                .queue("mail");
        assertThat(read(rig, filter).series().getFirst().points())
                .extracting(point -> point.counts().enqueued())
                .filteredOn(many -> many > 0)
                .containsExactly(2L, 3L);
    }

    @Test
    default void partsBecomeOneRowAndSayTheSameBeforeAndAfter(Rig rig) {
        ScriptedWorker worker = rig.worker("mail");
        rig.enqueue(30, job("mail"));
        for (int round = 0; round < 3; round++) {
            worker.claim(10);
            worker.finishAll();
            rig.advance(Duration.ofSeconds(10));
        }
        worker.heartbeat();
        FigureFilter filter = FigureFilter.last(Duration.ofMinutes(2)).step(FigureFilter.FINE);
        FigureReport before = read(rig, filter.queue("mail"));
        List<FigureRow> parts = rows(rig, Grain.PART);
        rig.store().backend().write(tx -> {
            tx.figures().add(parts); // as after an answer that was lost
            return parts;
        });
        keep(rig);
        assertThat(rows(rig, Grain.PART)).isEmpty();
        assertThat(rows(rig, Grain.FINE)).hasSize(3);
        assertThat(rows(rig, Grain.COARSE)).hasSize(1);
        List<FigurePoint> after =
                read(rig, filter.queue("mail")).series().getFirst().points();
        assertThat(after).extracting(point -> point.counts().started()).containsSequence(10L, 10L, 10L);
        assertThat(after)
                .extracting(FigurePoint::ran)
                .isEqualTo(before.series().getFirst().points().stream()
                        .map(FigurePoint::ran)
                        .toList());
    }

    @Test
    default void rowsAreFewAndKeptForSomeTimeOnly(Rig rig) {
        ScriptedWorker worker = rig.worker("mail");
        rig.enqueue(2, job("mail"));
        worker.claim(1);
        worker.finishAll();
        settle(rig);
        assertThat(rows(rig, Grain.FINE)).isNotEmpty();
        rig.advance(Duration.ofHours(25));
        FigureKeeper.prune(rig.store().backend());
        assertThat(rows(rig, Grain.FINE)).isEmpty();
        assertThat(rows(rig, Grain.COARSE)).hasSize(1);
        FigureFilter days = FigureFilter.last(Duration.ofDays(2)).queue("mail");
        assertThat(read(rig, days).series().getFirst().points().stream()
                        .mapToLong(point -> point.counts().started())
                        .sum())
                .isEqualTo(1);
        FigureFilter fine = FigureFilter.last(Duration.ofHours(2))
                .step(Duration.ofMinutes(1))
                .until(rig.time().now().minus(Duration.ofHours(24)));
        assertThatThrownBy(() -> read(rig, fine)).hasMessageContaining("a multiple of 10 minutes");
        rig.advance(Duration.ofDays(31));
        FigureKeeper.prune(rig.store().backend());
        assertThat(rows(rig, Grain.COARSE)).isEmpty();
        assertThat(series(totals(rig), FigureKind.QUEUE, "mail")
                        .points()
                        .getFirst()
                        .counts()
                        .started())
                .isEqualTo(1);
    }

    @Test
    default void manyKeysBehindAPatternAreFewSeries(Rig rig) {
        rig.policy("gate tenant:*", "concurrency 1");
        ScriptedWorker worker = rig.worker("mail");
        for (int key = 0; key < 300; key++) {
            rig.enqueue(job("mail").type("type " + key % 120).gate("tenant:" + key, "unnamed:" + key));
        }
        assertThat(worker.claimAll()).hasSize(300);
        settle(rig);
        List<FigureSeries> totals = totals(rig);
        assertThat(totals)
                .filteredOn(each -> each.kind() == FigureKind.GATE)
                .extracting(FigureSeries::name)
                .containsExactlyInAnyOrder("tenant:*", "unnamed:*");
        assertThat(totals).filteredOn(each -> each.kind() == FigureKind.KEY).isEmpty();
        assertThat(totals).filteredOn(each -> each.kind() == FigureKind.TYPE).hasSize(51);
        assertThat(totals)
                .filteredOn(each -> each.kind() == FigureKind.TYPE)
                .extracting(each -> each.points().getFirst().counts().started())
                .satisfies(all -> assertThat(
                                all.stream().mapToLong(Long::longValue).sum())
                        .isEqualTo(300));
        FigureReport keys = read(rig, FigureFilter.last(Duration.ofHours(1)).gate("tenant:*"));
        assertThat(keys.series().getFirst().name()).isEqualTo("tenant:*");
        assertThat(keys.series()).hasSizeBetween(2, 21);
        rows(rig, Grain.FINE).forEach(row -> assertThat(row.data().length()).isLessThan(40_000));
    }

    @Test
    default void totalsNeverFallAndKeepTheirNames(Rig rig) {
        ScriptedWorker worker = rig.worker("mail");
        for (int round = 0; round < 3; round++) {
            int first = round;
            Map<String, Long> before = Map.copyOf(started(rig));
            for (int type = 0; type < 40; type++) {
                rig.enqueue(job("mail").type("type %d %d".formatted(first, type)));
            }
            worker.claimAll();
            worker.finishAll();
            rig.advance(Duration.ofSeconds(10));
            worker.heartbeat();
            before.forEach((name, many) ->
                    assertThat(started(rig).getOrDefault(name, 0L)).as(name).isGreaterThanOrEqualTo(many));
            keep(rig);
            before.forEach((name, many) ->
                    assertThat(started(rig).getOrDefault(name, 0L)).as(name).isGreaterThanOrEqualTo(many));
        }
        assertThat(started(rig).values().stream().mapToLong(Long::longValue).sum())
                .isEqualTo(120);
        assertThat(started(rig)).hasSize(51);
    }

    private static Map<String, Long> started(Rig rig) {
        Map<String, Long> started = new TreeMap<>();
        for (FigureSeries each : totals(rig)) {
            if (each.kind() == FigureKind.TYPE) {
                started.put(each.name(), each.points().getFirst().counts().started());
            }
        }
        return started;
    }

    @Test
    default void aStoreInWhichNothingHappensIsOnlyRead(Rig rig) {
        rig.worker("mail");
        rig.enqueue(job("mail"));
        settle(rig);
        List<FigureRow> before = rows(rig, Grain.MARK);
        long statements = rig.store().backend().statements();
        keep(rig);
        assertThat(rig.store().backend().statements() - statements).isLessThanOrEqualTo(12);
        assertThat(rows(rig, Grain.MARK)).isEqualTo(before);
        assertThat(Micros.of(FigureFilter.FINE)).isEqualTo(10 * Micros.PER_SECOND);
    }
}
