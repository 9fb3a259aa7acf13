package dev.headgate.internal.pool;

import dev.headgate.internal.pool.PoolState.Need;
import dev.headgate.limit.Spans;
import dev.headgate.resource.PoolBounds;
import java.util.ArrayList;
import java.util.List;

/**
 * How large a pool should be: what is at work plus what could start at once, between its bounds.
 *
 * <p>Design note. It grows to what is needed now, one step at a time and not again before the cooldown has passed, so
 * it never grows beyond the need it has seen. It shrinks to the greatest need of any sample within the idle grace, and
 * only if that is less by more than a quarter, or is the floor: so a load that moves up and down gets the size for its
 * peaks and keeps it. Without memory it stays as it is; shrinking would not give back what running jobs hold.
 */
public final class PoolRule {
    private static final int DEAD_BAND = 4;

    private PoolRule() {}

    /** The pool after this sample: of the same size and for the same reason, or of another with the reason for that. */
    public static PoolState next(PoolBounds bounds, PoolState before, PoolSample look) {
        int needed = Math.clamp(look.needed(), bounds.min(), bounds.max());
        List<Need> needs = stillCounting(bounds, before, new Need(look.now(), needed));
        boolean isSeenLongEnough =
                look.now() - needs.getFirst().at() >= bounds.idleGrace().toNanos();
        PoolState same = new PoolState(before.size(), before.reason(), before.resizedAt(), needs);
        if (look.now() - before.resizedAt() < bounds.cooldown().toNanos()) {
            return same;
        }
        if (needed > before.size() && !look.isMemoryShort()) {
            int size = Math.min(needed, before.size() + bounds.step());
            return resized(same, size, grown(look), look.now());
        }
        int peak = needs.stream().mapToInt(Need::size).max().orElse(needed);
        boolean isLess =
                peak < before.size() && (peak == bounds.min() || before.size() - peak > before.size() / DEAD_BAND);
        if (isLess && isSeenLongEnough) {
            int size = Math.max(peak, before.size() - bounds.step());
            return resized(same, size, shrunk(bounds, look, peak), look.now());
        }
        return same;
    }

    private static PoolState resized(PoolState same, int size, String reason, long now) {
        return new PoolState(size, reason, now, same.needs());
    }

    /** The samples within the grace, and the last one before it, which shows that the whole grace was covered. */
    private static List<Need> stillCounting(PoolBounds bounds, PoolState before, Need latest) {
        List<Need> needs = new ArrayList<>(before.needs());
        needs.add(latest);
        while (needs.size() > 1
                && latest.at() - needs.get(1).at() >= bounds.idleGrace().toNanos()) {
            needs.removeFirst();
        }
        return List.copyOf(needs);
    }

    private static String grown(PoolSample look) {
        return "%d at work and %d more could start".formatted(look.busy(), look.backlog());
    }

    private static String shrunk(PoolBounds bounds, PoolSample look, int peak) {
        String grace = Spans.text(bounds.idleGrace());
        return look.needed() == 0
                ? "nothing to do; %d were enough for %s".formatted(peak, grace)
                : "%d were enough for %s".formatted(peak, grace);
    }
}
