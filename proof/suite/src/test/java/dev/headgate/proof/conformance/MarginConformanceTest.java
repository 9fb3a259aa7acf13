package dev.headgate.proof.conformance;

import dev.headgate.limit.Margin;
import dev.headgate.spi.Backend;
import dev.headgate.spi.StoreClock;
import dev.headgate.testkit.memory.MemoryBackend;
import java.time.Duration;

/** What users know from other systems is as true of limits with a margin, but for the span that it costs. */
class MarginConformanceTest
        implements HeadgateConformance,
                ScraperConformance,
                RqConformance,
                ConveyorConformance,
                ConveyorWorkerConformance,
                QueuetyConformance,
                QueuetyWorkflowConformance,
                WorkglowQueueConformance,
                WorkglowWorkerConformance {
    private MemoryBackend last = new MemoryBackend();

    @Override
    public Margin margin() {
        return Margin.of(Duration.ofNanos(2_000));
    }

    @Override
    public Backend open(StoreClock clock) {
        last = new MemoryBackend(clock);
        return last;
    }

    @Override
    public Backend reopen(StoreClock clock) {
        return last.reopen();
    }

    @Override
    public boolean isDurable() {
        return false;
    }
}
