package dev.headgate.benchmarks.versus;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;

/** A handler that does nothing but count. The clock runs from the first start to the last, so that no start-up counts. */
final class Tally implements LongConsumer {
    private static final int GIVE_UP_MINUTES = 5;

    private final long first;
    private final int jobs;
    private final AtomicLong begin = new AtomicLong();
    private final AtomicLong count = new AtomicLong();
    private final LongAdder sum = new LongAdder();
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile long end;

    Tally(long first, int jobs) {
        this.first = first;
        this.jobs = jobs;
    }

    @Override
    public void accept(long number) {
        if (begin.get() == 0) {
            begin.compareAndSet(0, System.nanoTime());
        }
        sum.add(number);
        if (count.incrementAndGet() == jobs) {
            end = System.nanoTime();
            done.countDown();
        }
    }

    /** Waits for the last job as long as the one that works is alive, and answers how long all of them took. */
    double awaitSeconds(Contender contender) throws Exception {
        long giveUp = System.nanoTime() + TimeUnit.MINUTES.toNanos(GIVE_UP_MINUTES);
        while (!done.await(1, TimeUnit.SECONDS)) {
            contender.lookAlive();
            if (System.nanoTime() > giveUp) {
                throw new IllegalStateException(
                        "%d of %d jobs after %d minutes".formatted(count.get(), jobs, GIVE_UP_MINUTES));
            }
        }
        return (end - begin.get()) / 1e9;
    }

    /** Each job ran, and none of them twice, as far as a sum can tell. */
    void judge() {
        long expected = jobs * first + (long) jobs * (jobs - 1) / 2;
        if (count.get() != jobs || sum.sum() != expected) {
            throw new IllegalStateException("ran %d jobs with the sum %d, expected %d with %d"
                    .formatted(count.get(), sum.sum(), jobs, expected));
        }
    }
}
