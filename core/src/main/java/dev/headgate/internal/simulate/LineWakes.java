package dev.headgate.internal.simulate;

import dev.headgate.limit.GateKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** When the line of each gate can move, the earliest first. */
final class LineWakes {
    private final Map<GateKey, Wake> byGate = new HashMap<>();
    private final TreeSet<Wake> inOrder =
            new TreeSet<>(Comparator.comparingLong(Wake::at).thenComparing(Wake::gate));

    private record Wake(long at, GateKey gate) {}

    void put(GateKey gate, long at) {
        remove(gate);
        Wake wake = new Wake(at, gate);
        byGate.put(gate, wake);
        inOrder.add(wake);
    }

    void remove(GateKey gate) {
        Wake old = byGate.remove(gate);
        if (old != null) {
            inOrder.remove(old);
        }
    }

    @Nullable
    Long first() {
        return inOrder.isEmpty() ? null : Long.valueOf(inOrder.first().at());
    }

    List<GateKey> due(long now) {
        List<GateKey> due = new ArrayList<>();
        for (Wake wake : inOrder) {
            if (wake.at() > now) {
                break;
            }
            due.add(wake.gate());
        }
        due.sort(Comparator.naturalOrder());
        return due;
    }
}
