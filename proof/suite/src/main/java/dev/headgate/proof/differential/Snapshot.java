package dev.headgate.proof.differential;

import dev.headgate.explain.Explanation;
import dev.headgate.internal.job.JobStore;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.status.Overview;
import dev.headgate.status.QueueCount;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/** Everything a store shows about itself, line by line, with jobs by their number. */
final class Snapshot {
    private Snapshot() {}

    static List<String> of(World world) {
        JobStore store = world.rig().store();
        List<String> lines = new ArrayList<>();
        List<JobStatus> jobs = store.list(JobFilter.all().limit(JobFilter.LIMIT_MAX));
        jobs.forEach(job -> lines.add(line(job, world.numbers())));
        jobs.stream()
                .filter(job -> job.state() == JobState.AWAITING)
                .limit(3)
                .forEach(job -> lines.add("explain awaiting: "
                        + world.numbers().named(world.rig().explain(job.id()).summary())));
        jobs.stream().limit(6).forEach(job -> lines.add(edges(world, store, job.id())));
        jobs.stream()
                .filter(job -> job.state() == JobState.QUEUED || job.state() == JobState.SCHEDULED)
                .limit(4)
                .forEach(job -> lines.add(explained(world, store, job.id())));
        jobs.stream()
                .limit(3)
                .forEach(job -> lines.add(
                        "past %s %s".formatted(store.attempts(job.id()).size(), store.log(job.id()))));
        lines.addAll(overview(store.overview(10_000)));
        store.policyStore().pauses().forEach(row -> lines.add("paused " + row.pause()));
        store.journalGates()
                .forEach(gate -> lines.add("journal %s %s"
                        .formatted(
                                gate,
                                store.journal(gate, 0, 1000).stream()
                                        .map(entry -> List.of(
                                                entry.event().at(),
                                                entry.event().kind(),
                                                entry.event().starts(),
                                                entry.event().units(),
                                                entry.use().leases(),
                                                entry.link().hash()))
                                        .toList())));
        lines.add("drift " + store.recount());
        return lines;
    }

    private static String edges(World world, JobStore store, JobId id) {
        return "after "
                + store.dependencies().of(id).stream()
                        .map(edge -> "%d %s %s %s %s"
                                .formatted(
                                        world.numbers().of(edge.job().value()),
                                        edge.unmet(),
                                        edge.isChild(),
                                        edge.state(),
                                        edge.isOpen()))
                        .toList();
    }

    private static String line(JobStatus job, Numbers numbers) {
        return "job %d %s attempt %d lost %d epoch %d worker %s ready %s started %s finished %s detail %s progress %s result %s %s"
                .formatted(
                        numbers.of(job.id().value()),
                        job.state(),
                        job.leases().attempt(),
                        job.leases().lost(),
                        job.leases().epoch(),
                        job.leases().worker(),
                        job.times().readySince(),
                        job.times().startedAt(),
                        job.times().finishedAt(),
                        job.report().detail() == null
                                ? null
                                : numbers.named(job.report().detail()),
                        job.report().progress(),
                        job.report().result(),
                        job.spec());
    }

    private static String explained(World world, JobStore store, JobId id) {
        Explanation said = Objects.requireNonNull(store.explain(id));
        return "explain %d: %s ahead %d earliest %s %s"
                .formatted(
                        world.numbers().of(id.value()),
                        said.summary(),
                        said.place().ahead(),
                        said.times().earliest(),
                        said.place().gates().stream()
                                .map(gate -> gate(world, gate))
                                .toList());
    }

    /** Holders by their numbers: the ids of two stores differ where one has skipped some. */
    private static String gate(World world, Explanation.GateAnswer gate) {
        return "%s %s %s in use %d says %s blocking %s before %d share %s held by %s"
                .formatted(
                        gate.gate(),
                        gate.policy().text(),
                        gate.until(),
                        gate.use().leases(),
                        gate.decision(),
                        gate.line().isIn(),
                        gate.line().lanesBefore(),
                        gate.line().share(),
                        gate.use().holders().stream()
                                .map(holder -> "%d %s %s %s"
                                        .formatted(
                                                world.numbers().of(holder.job().value()),
                                                holder.type(),
                                                holder.worker(),
                                                holder.since()))
                                .toList());
    }

    private static List<String> overview(Overview overview) {
        List<String> lines = new ArrayList<>();
        overview.jobs().stream()
                .sorted(Comparator.comparing(QueueCount::queue).thenComparing(QueueCount::state))
                .forEach(count -> lines.add(count.toString()));
        overview.gates().forEach(gate -> lines.add(gate.toString()));
        overview.workers().forEach(worker -> lines.add(worker.toString()));
        lines.add("policies " + overview.policyVersion());
        return lines;
    }
}
