package dev.headgate.cli.policies;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandException;
import dev.headgate.cli.display.NearestName;
import dev.headgate.cli.store.StatusCommand;
import dev.headgate.cli.workers.BuiltInJobs;
import dev.headgate.internal.text.Names;
import dev.headgate.internal.text.Served;
import dev.headgate.job.JobFilter;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.Pause;
import dev.headgate.status.Overview;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The queues and gates that a store has heard of, to tell a name that means nothing from one that is only idle. */
public final class KnownNames {
    private final TreeSet<String> queues = new TreeSet<>();
    private final TreeSet<String> gates = new TreeSet<>();

    KnownNames(Overview overview, Collection<GateKey> policies) {
        overview.jobs().forEach(count -> queues.add(count.queue()));
        overview.workers()
                .forEach(worker -> queues.addAll(Served.of(worker.queues()).names()));
        overview.gates().forEach(gate -> add(gate.key()));
        policies.forEach(this::add);
    }

    public static KnownNames in(Headgate headgate) {
        return new KnownNames(headgate.overview(), headgate.policies().all().keySet());
    }

    private void add(GateKey key) {
        switch (key.scope()) {
            case QUEUE -> queues.add(key.name());
            case GATE -> gates.add(key.name());
            case TYPE -> {}
        }
    }

    public Set<String> queues() {
        return queues;
    }

    Set<String> gates() {
        return gates;
    }

    /** A remark for a pause of a name that the store does not know: it is valid, but in most cases misspelt. */
    static Optional<String> remark(Headgate headgate, Pause pause) {
        return remark(headgate, pause, "");
    }

    /** The same for a command that changes one gate or queue. Names the other scope if the name exists there. */
    static Optional<String> remark(Headgate headgate, GateKey key, String command) {
        if (!GateRows.cover(key, headgate.policies().all().keySet()).isEmpty()) {
            return Optional.empty();
        }
        String name = key.name();
        boolean isQueue = key.scope() == GateKey.Scope.QUEUE;
        Pause other = isQueue ? Pause.gate(name) : Pause.queue(name);
        String scope = other.kind().text();
        String hint = names(headgate, other).contains(name)
                ? "; a %s has that name: headgate %s %s %s".formatted(scope, scope, command, name)
                : "";
        return remark(headgate, isQueue ? Pause.queue(name) : Pause.gate(name), hint);
    }

    private static Optional<String> remark(Headgate headgate, Pause pause, String hint) {
        Set<String> names = names(headgate, pause);
        String name = pause.name();
        boolean isPattern = pause.kind() != Pause.Kind.TYPE && name.endsWith("*");
        String start = isPattern ? name.substring(0, name.length() - 1) : name;
        if (names.stream().anyMatch(known -> isPattern ? known.startsWith(start) : known.equals(name))) {
            return Optional.empty();
        }
        String near = NearestName.names(name, names).isEmpty() ? "" : NearestName.hint(name, names);
        return Optional.of("%s '%s': %s%s"
                .formatted(
                        pause.kind().text(),
                        name,
                        switch (pause.kind()) {
                            case QUEUE -> "no job, policy or worker of this store names it yet";
                            case GATE -> "no policy of this store covers it, and no job has come to it yet";
                            case TYPE -> "no job of this type is in this store yet";
                        },
                        hint.isEmpty() ? near : hint));
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

    private static Set<String> names(Headgate headgate, Pause pause) {
        if (pause.kind() == Pause.Kind.TYPE) {
            Set<String> types = new TreeSet<>();
            headgate.demand().types().forEach(figures -> types.add(figures.type()));
            for (JobFilter filter : List.of(JobFilter.all().type(pause.name()).limit(1), JobFilter.all())) {
                headgate.page(filter).jobs().forEach(job -> types.add(job.type()));
            }
            return types;
        }
        Set<GateKey> policies = headgate.policies().all().keySet();
        KnownNames known = new KnownNames(headgate.overview(), policies);
        if (pause.kind() == Pause.Kind.QUEUE) {
            return known.queues;
        }
        Set<String> gates = new TreeSet<>(known.gates);
        headgate.page(JobFilter.all()).jobs().forEach(job -> gates.addAll(job.gates()));
        if (!GateRows.cover(GateKey.gate(pause.name()), policies).isEmpty()) {
            gates.add(pause.name());
        }
        return gates;
    }

    /** Complains about a gate that no policy covers, that no job has come to and that no job of a page names. */
    public static void requireGate(Headgate headgate, String name) {
        Overview overview = headgate.overview();
        Set<GateKey> policies = headgate.policies().all().keySet();
        KnownNames known = new KnownNames(overview, policies);
        boolean isKnown = known.gates.contains(name)
                || GateRows.cover(GateKey.gate(name), policies).isPresent()
                || overview.gates().size() >= StatusCommand.GATES_MAX
                || headgate.page(JobFilter.all().gate(name).limit(1)).next() != null;
        if (!isKnown) {
            throw CommandException.bad("gate '%s': no policy of this store covers it, and no job names it%s"
                    .formatted(name, NearestName.hint(name, known.gates)));
        }
    }

    /** Complains about a queue that no job, policy or worker has ever named. */
    public void requireQueue(String name) {
        Names.check("queue", name);
        if (!queues.contains(name)) {
            throw CommandException.bad("queue '%s': no job, policy or worker of this store names it%s"
                    .formatted(name, NearestName.hint(name, queues)));
        }
    }
}
