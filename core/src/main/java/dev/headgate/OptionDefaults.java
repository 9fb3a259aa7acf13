package dev.headgate;

import dev.headgate.handler.RetryPolicy;
import dev.headgate.job.JobType;
import dev.headgate.job.RetryRule;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Puts what a job type says into the options of a job, before the enqueue sets its own. */
record OptionDefaults(JobOptions job) implements JobType.Defaults {
    @Override
    public void queue(String name) {
        job.queue(name);
    }

    @Override
    public void gate(String name) {
        job.gate(name);
    }

    @Override
    public void units(String gate, long units) {
        job.usually(gate, units);
    }

    @Override
    public void cost(long units) {
        job.cost(units);
    }

    @Override
    public void priority(int value) {
        job.priority(value);
    }

    @Override
    public void attempts(int most) {
        job.attempts(most);
    }

    @Override
    public void retry(RetryRule rule) {
        job.retry(rule instanceof RetryPolicy policy ? policy : RetryPolicy.parse(rule.text()));
    }

    @Override
    public void timeout(Duration perAttempt) {
        job.timeout(perAttempt);
    }

    @Override
    public void label(String name, String value) {
        job.label(name, value);
    }

    @Override
    public void dedup(String key, @Nullable Duration ttl) {
        if (ttl == null) {
            job.dedup(key);
        } else {
            job.dedup(key, ttl);
        }
    }

    @Override
    public void dedupByContent(@Nullable Duration ttl) {
        if (ttl == null) {
            job.dedupByContent();
        } else {
            job.dedupByContent(ttl);
        }
    }
}
