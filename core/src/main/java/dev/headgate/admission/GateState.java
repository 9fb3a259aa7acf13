package dev.headgate.admission;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a gate remembers: leases and units in use, one instant per token bucket, the greatest time it has seen, and a
 * reservation. Never the limits themselves, so a changed policy needs no migration.
 *
 * @param leases jobs that hold a place now
 * @param units their summed cost
 * @param buckets instants of the token buckets by {@link Rate#bucketKey}
 * @param seen the greatest store time of any decision here; time never moves back below it
 */
public record GateState(
        long leases,
        long units,
        Map<String, Tat> buckets,
        long seen,
        @Nullable Reservation reservation) {
    public static final GateState NEW = new GateState(0, 0, Map.of(), 0, null);

    /** Capacity kept for one lane that has been passed over too often, until an instant at the latest. */
    public record Reservation(String lane, long rank, long units, long until) {}

    public GateState {
        buckets = Map.copyOf(buckets);
    }

    public @Nullable Tat bucket(String key) {
        return buckets.get(key);
    }

    /** The store's clock, except where it stepped back. */
    long clock(long now) {
        return Math.max(now, seen);
    }

    GateState withLeases(long newLeases, long newUnits) {
        return new GateState(newLeases, newUnits, buckets, seen, reservation);
    }

    GateState withReservation(@Nullable Reservation kept) {
        return new GateState(leases, units, buckets, seen, kept);
    }

    GateState withBuckets(Map<String, Tat> newBuckets, long newSeen) {
        return new GateState(leases, units, newBuckets, newSeen, reservation);
    }

    /** The part that is not plain numbers, as text for the store: {@code seen=… b.1000000j=… r=…}. */
    public String memory() {
        StringBuilder text = new StringBuilder("seen=").append(seen);
        new TreeMap<>(buckets)
                .forEach(
                        (key, tat) -> text.append(" b.").append(key).append('=').append(tat.text()));
        if (reservation != null) {
            text.append(" r=")
                    .append(reservation.lane())
                    .append(',')
                    .append(reservation.rank())
                    .append(',')
                    .append(reservation.units())
                    .append(',')
                    .append(reservation.until());
        }
        return text.toString();
    }

    /** A state as a store keeps it. */
    public record Stored(long leases, long units, String memory) {}

    /**
     * What an unreadable memory is taken for. It must not open the gate wide: every bucket that the policy wants is empty
     * as of now.
     */
    static GateState emptied(Stored stored, GatePolicy policy, long now) {
        Map<String, Tat> empty = new HashMap<>();
        for (Limit limit : policy.limits()) {
            if (limit instanceof Rate rate) {
                empty.put(rate.bucketKey(), rate.empty(now));
            }
        }
        return new GateState(stored.leases(), stored.units(), empty, now, null);
    }

    /** Reads back what a store kept; absent if it is unreadable. */
    static @Nullable GateState parse(Stored stored) {
        try {
            return parse(stored.leases(), stored.units(), stored.memory());
        } catch (RuntimeException unreadable) {
            return null;
        }
    }

    private static GateState parse(long leases, long units, String memory) {
        Map<String, Tat> buckets = new HashMap<>();
        long seen = 0;
        Reservation reservation = null;
        for (String entry : memory.isEmpty() ? new String[0] : memory.split(" ", -1)) {
            int equals = entry.indexOf('=');
            String key = entry.substring(0, equals);
            String value = entry.substring(equals + 1);
            if (key.equals("seen")) {
                seen = Long.parseLong(value);
            } else if (key.equals("r")) {
                String[] parts = value.split(",", -1);
                reservation = new Reservation(
                        parts[0], Long.parseLong(parts[1]), Long.parseLong(parts[2]), Long.parseLong(parts[3]));
            } else if (key.startsWith("b.")) {
                buckets.put(key.substring(2), Tat.parse(value));
            } else {
                throw new IllegalArgumentException("gate memory: unknown entry '%s'".formatted(entry));
            }
        }
        return new GateState(leases, units, buckets, seen, reservation);
    }
}
