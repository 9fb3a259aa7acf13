package dev.headgate.proof;

import dev.headgate.internal.admission.Fit;
import dev.headgate.internal.lease.Turn;
import dev.headgate.internal.resource.ProcessResources;
import dev.headgate.internal.resource.ProfileLearner.Declared;
import dev.headgate.internal.resource.ProfileLearner.Finish;
import dev.headgate.internal.resource.Reservations;
import dev.headgate.internal.resource.ResourceStore;
import dev.headgate.job.JobId;
import dev.headgate.resource.Capacity;
import dev.headgate.resource.Headroom;
import dev.headgate.resource.Needs;
import dev.headgate.resource.TimeLeft;
import dev.headgate.spi.JobRow;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The room of a scripted worker, kept as a real one keeps it. */
final class ScriptedRoom {
    private final Rig rig;
    private final Reservations quarters;
    private final Map<JobId, Reservations.Stay> stays = new HashMap<>();
    private long endMicros;
    private long wholeMicros = Long.MAX_VALUE;

    ScriptedRoom(Rig rig, Headroom headroom, Map<String, Needs> needs) {
        this.rig = rig;
        Map<String, Declared> declared = new HashMap<>();
        needs.forEach((type, need) -> declared.put(type, new Declared(need, null)));
        this.quarters = new Reservations(
                headroom,
                declared,
                Set.of(),
                new ProcessResources(),
                Path.of("/"),
                () -> rig.time().micros() * 1_000);
    }

    void until(long micros) {
        endMicros = rig.time().micros() + micros;
        wholeMicros = micros;
    }

    Fit fit() {
        return quarters.fit(timeLeft());
    }

    private TimeLeft timeLeft() {
        return wholeMicros == Long.MAX_VALUE
                ? TimeLeft.FOR_EVER
                : new TimeLeft(Math.max(0, endMicros - rig.time().micros()), wholeMicros);
    }

    /** Answers whether to look again at once, further. */
    boolean note(Turn turn) {
        for (JobRow row : turn.started()) {
            Reservations.Stay stay = quarters.admit(row.id(), row.spec().type());
            stays.put(JobId.of(row.id()), Objects.requireNonNull(stay, "its process has no other worker"));
        }
        return quarters.note(turn.passed().jobs(), turn.passed().isBeyondSight());
    }

    void ended(JobId job) {
        Reservations.Stay stay = stays.remove(job);
        if (stay != null) {
            stay.end(Finish.WHOLE);
        }
    }

    /** Tells the store what a real worker tells it with its heartbeats. */
    void tell(String worker) {
        ResourceStore store = new ResourceStore(rig.store().backend());
        store.declare(quarters.declared());
        Capacity capacity = quarters.capacity();
        TimeLeft time = timeLeft();
        store.publish(worker, (time.equals(TimeLeft.FOR_EVER) ? capacity : capacity.until(time)).text());
    }

    void learn() {
        quarters.learn(new ResourceStore(rig.store().backend()).profiles());
    }

    int passed() {
        return quarters.passed();
    }
}
