package dev.headgate.internal.admission;

import dev.headgate.internal.time.Micros;
import dev.headgate.limit.Limit;
import dev.headgate.limit.Quota;
import dev.headgate.limit.Rate;
import dev.headgate.limit.Spaced;
import dev.headgate.limit.Window;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a gate remembers of limits that are no longer in its policy, and what the limits of today take over from them. */
final class FormerLimits {
    static final String SPACED = "s.";
    private static final String WITH_PERIOD = "bwq";

    private FormerLimits() {}

    /** A distance that is new beside others of its unit: they know the last start. */
    static void takeOverBesides(Meter[] meters, SpacedMeter heir, long seen) {
        for (Meter other : meters) {
            if (other instanceof SpacedMeter known && known != heir && known.isByCost == heir.isByCost) {
                heir.carryOver(known, seen);
            }
        }
    }

    /** A distance that is gone while others of its unit are there: each of them goes on from the later of both. */
    static boolean isTakenOver(Meter[] meters, String key, String memory, long seen) {
        boolean isTaken = false;
        for (Meter meter : meters) {
            if (meter instanceof SpacedMeter heir && heir.isByCost == key.endsWith("c")) {
                SpacedMeter old = new SpacedMeter((Spaced) heir.limit());
                old.remember(memory, seen);
                heir.carryOver(old, seen);
                isTaken = true;
            }
        }
        return isTaken;
    }

    /** Lets limits without a memory of their own go on from that of one of their kind and unit that is gone. */
    static boolean takeOver(List<Meter> heirs, String key, Meter old, long seen) {
        boolean isTaken = false;
        for (Meter heir : heirs) {
            String own = heir.limit().key();
            boolean isSameKind = own.charAt(0) == key.charAt(0) && own.charAt(1) == '.';
            if (isSameKind && own.charAt(own.length() - 1) == key.charAt(key.length() - 1)) {
                heir.carryOver(old, seen);
                isTaken = true;
            }
        }
        return isTaken;
    }

    /** The meter of a limit that is no longer in the policy; its count is not known and does not matter. */
    static @Nullable Meter of(String key, @Nullable String memory, long seen) {
        if (memory == null || key.length() < 4 || key.charAt(1) != '.' || WITH_PERIOD.indexOf(key.charAt(0)) < 0) {
            return null;
        }
        boolean isByCost = key.endsWith("c");
        String period = key.substring(2, key.length() - 1);
        Limit limit =
                switch (key.charAt(0)) {
                    case 'b' ->
                        new Rate(RateMeter.countOf(memory), Micros.duration(Long.parseLong(period)), 1, isByCost);
                    case 'w' -> new Window(1, Micros.duration(Long.parseLong(period)), isByCost);
                    default -> {
                        String[] parts = period.split("\\.", 2);
                        yield new Quota(
                                1,
                                Quota.Period.valueOf(parts[0].toUpperCase(Locale.ROOT)),
                                ZoneId.of(parts[1].substring(0, parts[1].length() - 1)),
                                isByCost);
                    }
                };
        Meter old = Meter.of(limit);
        old.remember(memory, seen);
        return old;
    }
}
