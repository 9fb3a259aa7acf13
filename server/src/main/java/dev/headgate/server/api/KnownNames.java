package dev.headgate.server.api;

import dev.headgate.Headgate;
import dev.headgate.internal.text.NearestName;
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
import java.util.function.Function;

/** The queues and gates that a store has heard of, to tell a name that means nothing from one that is only idle. */
public final class KnownNames {
    private final TreeSet<String> queues = new TreeSet<>();
    private final TreeSet<String> gates = new TreeSet<>();

    public KnownNames(Overview overview, Collection<GateKey> policies) {
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

    public Set<String> gates() {
        return gates;
    }

    /** A remark for a pause of a name that the store does not know: it is valid, but in most cases misspelt. */
    public static Optional<String> remark(Headgate headgate, Pause pause) {
        return remark(headgate, pause, "");
    }

    /**
     * The same for an act on one gate or queue.
     *
     * @param other what to say if the name is one of the other scope
     */
    public static Optional<String> remark(Headgate headgate, GateKey key, Function<Pause, String> other) {
        if (!GateJson.cover(key, headgate.policies().all().keySet()).isEmpty()) {
            return Optional.empty();
        }
        String name = key.name();
        boolean isQueue = key.scope() == GateKey.Scope.QUEUE;
        Pause namesake = isQueue ? Pause.gate(name) : Pause.queue(name);
        String hint = names(headgate, namesake).contains(name) ? other.apply(namesake) : "";
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
        if (!GateJson.cover(GateKey.gate(pause.name()), policies).isEmpty()) {
            gates.add(pause.name());
        }
        return gates;
    }
}
