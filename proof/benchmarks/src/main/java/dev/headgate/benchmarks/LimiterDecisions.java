package dev.headgate.benchmarks;

import static dev.headgate.limit.Limit.concurrency;
import static dev.headgate.limit.Limit.rate;
import static dev.headgate.limit.Limit.window;

import dev.headgate.limiter.Limiter;
import dev.headgate.limiter.LocalLimiter;
import dev.headgate.limiter.Permit;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.local.SynchronizationStrategy;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.bulkhead.internal.SemaphoreBulkhead;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.internal.AtomicRateLimiter;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Decisions per second of limiters in process, beside the libraries that people use for that. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class LimiterDecisions {
    private static final int AMPLE = 1_000_000_000;
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HOUR = Duration.ofHours(1);

    private final LocalLimiter ample = Limiter.inProcess(rate(AMPLE).per(SECOND).burst(AMPLE));
    private final LocalLimiter spent = Limiter.inProcess(rate(1).per(HOUR));
    private final LocalLimiter ampleWindow = Limiter.inProcess(window(AMPLE).per(SECOND));
    private final LocalLimiter places = Limiter.inProcess(concurrency(AMPLE));
    private final Bucket ampleBucket = bucket(SynchronizationStrategy.LOCK_FREE, AMPLE, SECOND);
    private final Bucket ampleLockedBucket = bucket(SynchronizationStrategy.SYNCHRONIZED, AMPLE, SECOND);
    private final Bucket spentBucket = bucket(SynchronizationStrategy.LOCK_FREE, 1, HOUR);
    private final Bucket spentLockedBucket = bucket(SynchronizationStrategy.SYNCHRONIZED, 1, HOUR);
    private final AtomicRateLimiter ampleAtomic = atomic(AMPLE, SECOND);
    private final AtomicRateLimiter spentAtomic = atomic(1, HOUR);
    private final SemaphoreBulkhead bulkhead = new SemaphoreBulkhead(
            "places",
            BulkheadConfig.custom()
                    .maxConcurrentCalls(AMPLE)
                    .maxWaitDuration(Duration.ZERO)
                    .build());

    private static Bucket bucket(SynchronizationStrategy strategy, long count, Duration per) {
        return Bucket.builder()
                .withNanosecondPrecision()
                .withSynchronizationStrategy(strategy)
                .addLimit(limit -> limit.capacity(count).refillGreedy(count, per))
                .build();
    }

    private static AtomicRateLimiter atomic(int count, Duration per) {
        return new AtomicRateLimiter(
                "pace",
                RateLimiterConfig.custom()
                        .limitForPeriod(count)
                        .limitRefreshPeriod(per)
                        .timeoutDuration(Duration.ZERO)
                        .build());
    }

    @Benchmark
    public boolean grantedHeadgate() {
        return ample.tryStart(1);
    }

    @Benchmark
    public Limiter.Answer grantedHeadgateWithPermit() {
        return ample.tryAcquire(1);
    }

    @Benchmark
    public boolean grantedBucket4jLockFree() {
        return ampleBucket.tryConsume(1);
    }

    @Benchmark
    public boolean grantedBucket4jSynchronized() {
        return ampleLockedBucket.tryConsume(1);
    }

    @Benchmark
    public boolean grantedResilience4jAtomic() {
        return ampleAtomic.acquirePermission(1);
    }

    @Benchmark
    public boolean deniedHeadgate() {
        return spent.tryStart(1);
    }

    @Benchmark
    public boolean deniedBucket4jLockFree() {
        return spentBucket.tryConsume(1);
    }

    @Benchmark
    public boolean deniedBucket4jSynchronized() {
        return spentLockedBucket.tryConsume(1);
    }

    @Benchmark
    public boolean deniedResilience4jAtomic() {
        return spentAtomic.acquirePermission(1);
    }

    @Benchmark
    public boolean placeHeadgate() {
        if (places.tryStart(1)) {
            places.finish(1);
            return true;
        }
        return false;
    }

    @Benchmark
    public boolean placeHeadgateWithPermit() {
        if (places.tryAcquire(1) instanceof Permit permit) {
            permit.close();
            return true;
        }
        return false;
    }

    @Benchmark
    public boolean placeResilience4jSemaphore() {
        if (bulkhead.tryAcquirePermission()) {
            bulkhead.releasePermission();
            return true;
        }
        return false;
    }

    @Benchmark
    public boolean windowHeadgate() {
        return ampleWindow.tryStart(1);
    }

    public static void main(String... args) throws RunnerException {
        TreeMap<String, double[]> table = new TreeMap<>(Comparator.naturalOrder());
        List<Integer> threads = List.of(1, 8);
        for (int i = 0; i < threads.size(); i++) {
            for (RunResult result : run(threads.get(i))) {
                String name = result.getParams().getBenchmark();
                double[] row = Objects.requireNonNull(table.computeIfAbsent(
                        name.substring(name.lastIndexOf('.') + 1), key -> new double[threads.size()]));
                row[i] = result.getPrimaryResult().getScore();
            }
        }
        System.out.printf("%-32s %12s %12s   million decisions per second%n", "", "1 thread", "8 threads");
        table.forEach((name, row) -> System.out.printf("%-32s %12.1f %12.1f%n", name, row[0], row[1]));
    }

    private static Collection<RunResult> run(int threads) throws RunnerException {
        Options options = new OptionsBuilder()
                .include(LimiterDecisions.class.getName() + System.getProperty("only", ""))
                .threads(threads)
                .forks(Integer.getInteger("forks", 1))
                .warmupIterations(2)
                .warmupTime(TimeValue.seconds(1))
                .measurementIterations(Integer.getInteger("iterations", 4))
                .measurementTime(TimeValue.seconds(1))
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .build();
        return new Runner(options).run();
    }
}
