package dev.headgate.proof;

import dev.headgate.internal.admission.JobFit;
import dev.headgate.internal.lease.Turn;
import dev.headgate.internal.resource.ProcessResources;
import dev.headgate.internal.resource.ProfileLearner.Declared;
import dev.headgate.internal.resource.ProfileLearner.Finish;
import dev.headgate.internal.resource.Reservations;
import dev.headgate.internal.resource.ResourceStore;
import dev.headgate.internal.resource.TimeLeft;
import dev.headgate.job.JobId;
import dev.headgate.resource.Capacity;
import dev.headgate.resource.Headroom;
import dev.headgate.resource.Needs;
import dev.headgate.spi.JobRow;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The room of a scripted worker, kept as a real one keeps it. */
final class ScriptedRoom {
    private final Rig rig;
    private final Reservations reservations;
    private final Map<JobId, Reservations.Reservation> held = new HashMap<>();
    private long endMicros;
    private long wholeMicros = Long.MAX_VALUE;

    ScriptedRoom(Rig rig, Headroom headroom, Map<String, Needs> needs) {
        this.rig = rig;
        Map<String, Declared> declared = new HashMap<>();
        needs.forEach((type, need) -> declared.put(type, new Declared(need, null)));
        this.reservations = new Reservations(
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

    JobFit fit() {
        return reservations.fit(timeLeft());
    }

    private TimeLeft timeLeft() {
        return wholeMicros == Long.MAX_VALUE
                ? TimeLeft.FOR_EVER
                : new TimeLeft(Math.max(0, endMicros - rig.time().micros()), wholeMicros);
    }

    /** Answers whether to look again at once, further. */
    boolean note(Turn turn) {
        for (JobRow row : turn.started()) {
            Reservations.Reservation reservation =
                    reservations.admit(row.id(), row.spec().type());
            held.put(JobId.of(row.id()), Objects.requireNonNull(reservation, "its process has no other worker"));
        }
        return reservations.note(
                turn.left().passed().jobs(), turn.left().passed().isBeyondSight());
    }

    void ended(JobId job) {
        Reservations.Reservation reservation = held.remove(job);
        if (reservation != null) {
            reservation.end(Finish.WHOLE);
        }
    }

    /** Tells the store what a real worker tells it with its heartbeats. */
    void tell(String worker) {
        ResourceStore store = new ResourceStore(rig.store().backend());
        store.declare(reservations.declared());
        Capacity capacity = reservations.capacity();
        TimeLeft time = timeLeft();
        store.publish(
                worker,
                1,
                (time.equals(TimeLeft.FOR_EVER) ? capacity : capacity.until(time.whole(), time.micros())).text());
    }

    void learn() {
        reservations.learn(new ResourceStore(rig.store().backend()).profiles());
    }

    int passed() {
        return reservations.passed();
    }
}
