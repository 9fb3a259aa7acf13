package dev.headgate.internal.admission;

import dev.headgate.limit.Hold;
import dev.headgate.limit.Limit;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a gate remembers: leases and units in use, one entry for each limit with something used, the greatest time it
 * has seen, a hold, a reservation. It holds no limits, so a changed policy needs no migration. Immutable; a {@link
 * GateLedger} works on a copy and makes the next one.
 *
 * @param leases jobs that hold a place now
 * @param units their summed cost
 * @param seen the greatest store time at which something started or came back here; time never moves back below it
 * @param isPaused nothing starts until the gate is resumed
 * @param entries what the limits remember, by {@link Limit#key}
 */
public record GateState(
        long leases,
        long units,
        long seen,
        boolean isPaused,
        @Nullable Hold hold,
        @Nullable Reservation reservation,
        Map<String, String> entries) {
    public static final GateState NEW = new GateState(0, 0, 0, false, null, null, Map.of());

    /** Capacity kept for one lane that was passed over too often, until an instant at the latest. */
    public record Reservation(String lane, long rank, long units, long until) {
        boolean isForAnOlder(Waiter asker) {
            return rank < asker.rank() && !lane.equals(asker.lane());
        }

        private String text() {
            return lane + "," + rank + "," + units + "," + until;
        }

        private static Reservation parse(String text) {
            String[] parts = text.split(",", -1);
            return new Reservation(
                    parts[0], Long.parseLong(parts[1]), Long.parseLong(parts[2]), Long.parseLong(parts[3]));
        }
    }

    /** A state as a store keeps it. */
    public record Stored(long leases, long units, String memory) {}

    public GateState {
        entries = Map.copyOf(entries);
    }

    /** Everything but the two counts, as one line for the store: {@code seen=… p=1 h=… r=… b.1000000j=…}. */
    public String memory() {
        StringBuilder text = new StringBuilder("seen=").append(seen);
        if (isPaused) {
            text.append(" p=1");
        }
        if (hold != null) {
            text.append(" h=").append(hold.text());
        }
        if (reservation != null) {
            text.append(" r=").append(reservation.text());
        }
        Map<String, String> sorted = entries.size() < 2 ? entries : new TreeMap<>(entries);
        sorted.forEach((key, value) -> text.append(' ').append(key).append('=').append(value));
        return text.toString();
    }

    /**
     * The same memory without a hold that has ended. For a queue that had no row meanwhile, so that the return of its
     * probe was not recorded.
     */
    public static String withoutProbe(String memory, long now) {
        try {
            GateState state = parse(new Stored(0, 0, memory));
            boolean isOver = state.hold != null && state.hold.until() <= now;
            return isOver
                    ? new GateState(0, 0, state.seen, state.isPaused, null, state.reservation, state.entries).memory()
                    : memory;
        } catch (RuntimeException unreadable) {
            return memory; // GateLedger.restore decides what that means
        }
    }

    /** Reads back what a store kept; throws if it is unreadable. */
    static GateState parse(Stored stored) {
        long seen = 0;
        boolean isPaused = false;
        Hold hold = null;
        Reservation reservation = null;
        Map<String, String> entries = new HashMap<>();
        String memory = stored.memory();
        int end;
        for (int from = 0; !memory.isEmpty() && from <= memory.length(); from = end + 1) {
            int space = memory.indexOf(' ', from);
            end = space < 0 ? memory.length() : space;
            int equals = memory.indexOf('=', from);
            if (equals <= from || equals >= end - 1) {
                throw new IllegalArgumentException(
                        "gate memory: expected key=value, got '%s'".formatted(memory.substring(from, end)));
            }
            String key = memory.substring(from, equals);
            String value = memory.substring(equals + 1, end);
            switch (key) {
                case "seen" -> seen = Long.parseLong(value);
                case "p" -> isPaused = value.equals("1");
                case "h" -> hold = Hold.parse(value);
                case "r" -> reservation = Reservation.parse(value);
                default -> entries.put(key, value);
            }
        }
        return new GateState(stored.leases(), stored.units(), seen, isPaused, hold, reservation, entries);
    }
}
