package dev.headgate.cli;

import dev.headgate.Headgate;
import dev.headgate.admission.GateKey;
import dev.headgate.cli.text.Near;
import dev.headgate.job.Names;
import dev.headgate.transition.Overview;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;

/** The queues and gates that a store has heard of, to tell a name that means nothing from one that is only idle. */
final class Known {
    private final TreeSet<String> queues = new TreeSet<>();
    private final TreeSet<String> gates = new TreeSet<>();

    Known(Overview overview, Collection<GateKey> policies) {
        overview.jobs().forEach(count -> queues.add(count.queue()));
        overview.workers().forEach(worker -> queues.addAll(worker.queues()));
        overview.gates().forEach(gate -> add(gate.key()));
        policies.forEach(this::add);
    }

    static Known in(Headgate headgate) {
        return new Known(headgate.overview(), headgate.policies().all().keySet());
    }

    private void add(GateKey key) {
        (key.scope() == GateKey.Scope.QUEUE ? queues : gates).add(key.name());
    }

    Set<String> queues() {
        return queues;
    }

    Set<String> gates() {
        return gates;
    }

    /** Complains about a queue that no job, policy or worker has ever named. */
    void requireQueue(String name) {
        Names.check("queue", name);
        if (!queues.contains(name)) {
            throw Complaint.bad("queue '%s': no job, policy or worker of this store names it%s"
                    .formatted(name, Near.hint(name, queues)));
        }
    }
}
