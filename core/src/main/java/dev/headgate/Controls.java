package dev.headgate;

import dev.headgate.admission.GateKey;
import dev.headgate.admission.Micros;
import dev.headgate.admission.Pause;
import dev.headgate.job.Text;
import dev.headgate.transition.JobStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Shuts and opens gates, queues and job types by hand, for every worker at once. What runs goes on. Thread-safe. */
public final class Controls {
    private static final int REASON_MAX = 500;

    private final JobStore store;
    private final String author;

    Controls(JobStore store, String author) {
        this.store = store;
        this.author = author;
    }

    /** Something that is paused: since when, by whom and why. */
    public record Paused(Pause what, Instant since, String author, String reason) {}

    /** The same controls in the name of somebody, as their reasons are shown. Default: {@code program}. */
    public Controls as(String name) {
        return new Controls(store, Text.storable(name, REASON_MAX));
    }

    /**
     * Shuts a gate for so long; then it is open as before. Of two holds the later end counts.
     *
     * @return false if the gate is shut for longer already
     */
    public boolean hold(String gate, Duration span, String reason) {
        Faults faults = new Faults();
        JobOptions.checkSpan(faults, "hold", span, false);
        faults.throwIfAny("gate '%s'".formatted(gate));
        return store.hold(GateKey.gate(gate), span, Text.storable(reason, REASON_MAX));
    }

    /** Opens a gate as if it were new: no hold, no back-off, nothing spent. What is in use stays in use. */
    public void clear(String gate) {
        store.clear(GateKey.gate(gate));
    }

    /** Lets nothing of this start until it is resumed: {@code pause(Pause.queue("mail"), "provider is down")}. */
    public void pause(Pause what, String reason) {
        store.policyStore().pause(what, author, Text.storable(reason, REASON_MAX));
    }

    /** Answers whether it was paused. */
    public boolean resume(Pause what) {
        return store.policyStore().resume(what);
    }

    public List<Paused> paused() {
        return store.policyStore().pauses().stream()
                .map(row -> new Paused(
                        row.pause(),
                        Micros.instant(row.note().now()),
                        row.note().author(),
                        row.note().reason()))
                .toList();
    }
}
