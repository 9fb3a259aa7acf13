package dev.headgate.cli.jobs;

import dev.headgate.JobOptions;
import dev.headgate.cli.CommandException;
import dev.headgate.cli.TimeOption;
import dev.headgate.handler.RetryPolicy;
import dev.headgate.job.Cost;
import dev.headgate.job.JobId;
import dev.headgate.job.Unmet;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of a job on the command line. {@link JobOptions} reports all wrong values at once. */
public final class JobEnqueueOptions {
    @Option(names = "--queue", paramLabel = "NAME", description = "the queue it waits in; 'default' if not given")
    private @Nullable String queue;

    @Option(names = "--gate", paramLabel = "NAME", description = "a gate it must pass; give it again for more")
    private List<String> gates = List.of();

    @Option(
            names = "--cost",
            paramLabel = "UNITS",
            description = "what it takes of budgets and limits by cost; 1 if not given, or \"1 openai=1500\"")
    private @Nullable Cost cost;

    @Option(names = "--delay", paramLabel = "SPAN", description = "start no earlier than so long from now, such as 10m")
    private @Nullable Duration delay;

    @Option(names = "--at", paramLabel = "TIME", description = "start no earlier than this, such as 2030-01-31T09:00")
    private @Nullable TimeOption at;

    @Option(names = "--priority", paramLabel = "N", description = "higher goes first in its lane, -1000 to 1000")
    private @Nullable Integer priority;

    @Option(names = "--front", description = "go before all others of its priority in its lane")
    private boolean isFront;

    @Option(names = "--keep-place", description = "when due or free, go before all that were enqueued after it")
    private boolean keepsPlace;

    @Option(names = "--dedup", paramLabel = "KEY", description = "add nothing if a live job carries this key")
    private @Nullable String dedup;

    @Option(names = "--dedup-content", description = "add nothing if a live job of this type has the same payload")
    private boolean isDedupByContent;

    @Option(names = "--dedup-for", paramLabel = "SPAN", description = "… and the key is free again after this")
    private @Nullable Duration dedupFor;

    @Option(names = "--timeout", paramLabel = "SPAN", description = "how long one attempt may run")
    private @Nullable Duration timeout;

    @Option(
            names = "--deadline",
            paramLabel = "TIME",
            description = "it fails if it has not ended by then; 1h is from now")
    private @Nullable TimeOption deadline;

    @Option(names = "--attempts", paramLabel = "N", description = "how often it may be tried; 10 if not given")
    private @Nullable Integer attempts;

    @Option(names = "--retry", paramLabel = "POLICY", description = "when to try again, such as \"fixed 5s\" or none")
    private @Nullable String retry;

    @Option(
            names = "--after",
            paramLabel = "ID",
            description = "run once this job has succeeded; give it again for more")
    private List<JobId> after = List.of();

    @Option(names = "--after-end", paramLabel = "ID", description = "run once this job has ended, well or not")
    private List<JobId> afterEnd = List.of();

    @Option(
            names = "--unmet",
            paramLabel = "FATE",
            description = "if a job of --after does not succeed: fail (as if not given), ignore or remove")
    private @Nullable Unmet unmet;

    @Mixin
    private AttributeOptions attributes = new AttributeOptions();

    boolean hasDedup() {
        return dedup != null;
    }

    List<String> gates() {
        return gates;
    }

    @Nullable
    Duration timeout() {
        return timeout;
    }

    public void apply(JobOptions job) {
        if (dedupFor != null && dedup == null && !isDedupByContent) {
            throw CommandException.usage("--dedup-for: expected --dedup KEY or --dedup-content beside it, got none");
        }
        if (dedup != null && isDedupByContent) {
            throw CommandException.usage("--dedup-content: expected no --dedup KEY beside it, got '" + dedup + "'");
        }
        if (queue != null) {
            job.queue(queue);
        }
        job.gates(gates);
        if (cost != null) {
            job.cost(cost);
        }
        if (priority != null) {
            job.priority(priority);
        }
        if (isFront) {
            job.front();
        }
        if (keepsPlace) {
            job.keepPlace();
        }
        applyDedup(job);
        if (attempts != null) {
            job.attempts(attempts);
        }
        if (retry != null) {
            job.retry(RetryPolicy.parse(retry));
        }
        attributes.apply(job::label, job::header);
        applyTimes(job);
        applyNeeds(job);
    }

    private void applyDedup(JobOptions job) {
        if (isDedupByContent && dedupFor != null) {
            job.dedupByContent(dedupFor);
        } else if (isDedupByContent) {
            job.dedupByContent();
        } else if (dedup != null && dedupFor != null) {
            job.dedup(dedup, dedupFor);
        } else if (dedup != null) {
            job.dedup(dedup);
        }
    }

    private void applyNeeds(JobOptions job) {
        if (unmet != null && after.isEmpty()) {
            throw CommandException.usage("--unmet: expected --after ID beside it, got none");
        }
        job.after(unmet == null ? Unmet.FAIL : unmet, after.toArray(JobId[]::new));
        job.afterEnd(afterEnd.toArray(JobId[]::new));
    }

    private void applyTimes(JobOptions job) {
        if (delay != null) {
            job.delay(delay);
        }
        switch (at) {
            case TimeOption.In(Duration span) -> job.delay(span);
            case TimeOption.At(Instant instant) -> job.at(instant);
            case null -> {}
        }
        if (timeout != null) {
            job.timeout(timeout);
        }
        if (deadline != null) {
            job.deadline(deadline.from(Instant.now()));
        }
    }
}
