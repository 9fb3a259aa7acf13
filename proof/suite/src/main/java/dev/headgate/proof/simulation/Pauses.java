package dev.headgate.proof.simulation;

import dev.headgate.limit.GateKey;
import dev.headgate.limit.Pause;
import java.util.ArrayList;
import java.util.List;

/** I24: nothing of what is paused starts. */
final class Pauses {
    private final Judge judge;
    private final List<Pause> paused = new ArrayList<>();

    Pauses(Judge judge) {
        this.judge = judge;
    }

    void paused(Pause pause) {
        if (!paused.contains(pause)) {
            paused.add(pause);
        }
    }

    void resumed(Pause pause) {
        paused.remove(pause);
    }

    List<Pause> all() {
        return List.copyOf(paused);
    }

    void granted(Track track) {
        for (int i = 0; i < paused.size(); i++) {
            Pause pause = paused.get(i);
            if (covers(pause, track)) {
                judge.broken(
                        "I24",
                        "%s of type %s at %s: starts while %s is paused"
                                .formatted(track, track.spec.type(), track.spec.lane(), pause));
            }
        }
    }

    private static boolean covers(Pause pause, Track track) {
        if (pause.kind() == Pause.Kind.TYPE) {
            return pause.name().equals(track.spec.type());
        }
        GateKey pattern = pause.kind() == Pause.Kind.QUEUE ? GateKey.queue(pause.name()) : GateKey.gate(pause.name());
        for (GateWatch gate : track.gates) {
            if (pattern.covers(gate.key())) {
                return true;
            }
        }
        return false;
    }
}
