package dev.headgate.cli.policies;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandException;
import dev.headgate.cli.store.StatusCommand;
import dev.headgate.cli.workers.BuiltInJobs;
import dev.headgate.internal.text.Names;
import dev.headgate.internal.text.NearestName;
import dev.headgate.job.JobFilter;
import dev.headgate.limit.GateKey;
import dev.headgate.server.api.GateJson;
import dev.headgate.server.api.KnownNames;
import dev.headgate.status.Overview;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Complains about names that a store has never heard of, and remarks on those that look mistyped. */
public final class NameChecks {
    private NameChecks() {}

    /** A remark on a command that changes one gate or queue. Names the other scope if the name exists there. */
    static Optional<String> remark(Headgate headgate, GateKey key, String command) {
        return KnownNames.remark(
                headgate,
                key,
                other -> "; a %s has that name: headgate %s %s %s"
                        .formatted(other.kind().text(), other.kind().text(), command, other.name()));
    }

    /**
     * A remark about a job type that looks mistyped: no job of the store has it, and its name is near to one that a job has or
     * that {@code headgate work} runs. Other types may be new, and nothing is said of them.
     */
    public static Optional<String> remarkOnType(Headgate headgate, String type) {
        Set<String> types = new TreeSet<>(BuiltInJobs.NAMES);
        headgate.page(JobFilter.all()).jobs().forEach(job -> types.add(job.type()));
        if (types.contains(type) || NearestName.names(type, types).isEmpty()) {
            return Optional.empty();
        }
        return headgate.page(JobFilter.all().type(type).limit(1)).jobs().isEmpty()
                ? Optional.of("type '%s': no job of this type is in this store yet%s"
                        .formatted(type, NearestName.hint(type, types)))
                : Optional.empty();
    }

    /** Complains about a gate that no policy covers, that no job has come to and that no job of a page names. */
    public static void requireGate(Headgate headgate, String name) {
        Overview overview = headgate.overview();
        Set<GateKey> policies = headgate.policies().all().keySet();
        KnownNames known = new KnownNames(overview, policies);
        boolean isKnown = known.gates().contains(name)
                || GateJson.cover(GateKey.gate(name), policies).isPresent()
                || overview.gates().size() >= StatusCommand.GATES_MAX
                || headgate.page(JobFilter.all().gate(name).limit(1)).next() != null;
        if (!isKnown) {
            throw CommandException.bad("gate '%s': no policy of this store covers it, and no job names it%s"
                    .formatted(name, NearestName.hint(name, known.gates())));
        }
    }

    /** Complains about a queue that no job, policy or worker has ever named. */
    public static void requireQueue(Headgate headgate, String name) {
        Names.check("queue", name);
        Set<String> queues = KnownNames.in(headgate).queues();
        if (!queues.contains(name)) {
            throw CommandException.bad("queue '%s': no job, policy or worker of this store names it%s"
                    .formatted(name, NearestName.hint(name, queues)));
        }
    }
}
