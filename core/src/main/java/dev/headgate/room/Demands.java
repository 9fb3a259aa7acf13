package dev.headgate.room;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What each job type needs, in the order in which one worker counts its resources. Immutable. */
final class Demands {
    private final List<String> resources;
    private final Map<String, Demand> byType = new HashMap<>();
    private final Demand unknown;
    private final boolean isAny;

    /** @param unknown what types need of which nothing is known */
    Demands(List<String> resources, Map<String, Estimate> estimates, Needs unknown) {
        this.resources = resources;
        this.unknown = new Demand(new Estimate(unknown, false, null));
        estimates.forEach((type, estimate) -> byType.put(type, new Demand(estimate)));
        this.isAny = !this.unknown.isNothing || byType.values().stream().anyMatch(demand -> !demand.isNothing);
    }

    Demand of(String type) {
        return byType.getOrDefault(type, unknown);
    }

    /** Whether any type needs anything that is counted. */
    boolean isAny() {
        return isAny;
    }

    /** One run of one type. */
    final class Demand {
        private final long[] amounts = new long[resources.size()];
        private final boolean isMeasured;
        private final boolean isForeign;
        private final boolean isNothing;
        private final @Nullable Long micros;

        private Demand(Estimate estimate) {
            this.isMeasured = estimate.isMemoryMeasured();
            this.isForeign = !resources.containsAll(estimate.needs().amounts().keySet());
            this.isNothing = estimate.needs().isNothing();
            this.micros = estimate.micros();
            for (int i = 0; i < amounts.length; i++) {
                amounts[i] = estimate.needs().of(resources.get(i));
            }
        }

        /** It needs something that this worker does not have at all. */
        boolean isForeign() {
            return isForeign;
        }

        boolean isNothing() {
            return isNothing;
        }

        /** How long it takes; absent if that is not known. */
        @Nullable
        Long micros() {
            return micros;
        }

        /** What is counted of a resource: measured memory may be too much, so no more than an idle worker has. */
        long amount(int resource, long whole) {
            boolean isBounded = isMeasured && resource == 0 && whole > 0;
            return isBounded ? Math.min(amounts[resource], whole) : amounts[resource];
        }
    }
}
