package dev.headgate.internal.resource;

import dev.headgate.internal.resource.Estimate.Basis;
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

    /**
     * @param unknown what types need of which nothing is known
     * @param guesses for unknown types whose first runs are at work
     */
    Demands(List<String> resources, Map<String, Estimate> estimates, Estimate unknown, Map<String, Guess> guesses) {
        this.resources = resources;
        this.unknown = new Demand(unknown, Guess.FIRST);
        estimates.forEach((type, estimate) ->
                byType.put(type, new Demand(estimate, guesses.getOrDefault(type, Guess.FIRST))));
        guesses.forEach((type, guess) -> byType.computeIfAbsent(type, each -> new Demand(unknown, guess)));
        this.isAny = !this.unknown.isNothing || byType.values().stream().anyMatch(demand -> !demand.isNothing);
    }

    /**
     * How much an unknown type is expected to need.
     *
     * @param part one over this part of the capacity
     * @param least these bytes at least
     */
    record Guess(long part, long least) {
        static final Guess FIRST = new Guess(Estimate.GUESS_PART, 1);

        /** The guess after this time in which no run has ended and one has allocated this much. It falls with time. */
        static Guess after(long micros, long allocated) {
            long times = Math.max(1, micros / TimeLeft.UNKNOWN_MICROS);
            return new Guess(Estimate.GUESS_PART * times, Math.max(1, 2 * allocated));
        }

        Guess or(Guess other) {
            return new Guess(Math.max(part, other.part), Math.max(least, other.least));
        }
    }

    Demand of(String type) {
        return byType.getOrDefault(type, unknown);
    }

    /** Whether any type needs anything that is counted. */
    boolean isAny() {
        return isAny;
    }

    /** What one run of one type needs. */
    final class Demand {
        private final long[] amounts = new long[resources.size()];
        private final Basis basis;
        private final Guess guess;
        private final boolean isForeign;
        private final boolean isNothing;
        private final @Nullable Long micros;

        private Demand(Estimate estimate, Guess guess) {
            this.basis = estimate.basis();
            this.guess = guess;
            this.isForeign = !resources.containsAll(estimate.needs().amounts().keySet());
            this.isNothing = estimate.needs().isNothing() && basis != Basis.GUESSED;
            this.micros = estimate.micros();
            for (int i = 0; i < amounts.length; i++) {
                amounts[i] = estimate.needs().of(resources.get(i));
            }
        }

        /** Whether it needs a resource that this worker does not have at all. */
        boolean isForeign() {
            return isForeign;
        }

        boolean isNothing() {
            return isNothing;
        }

        boolean isGuess() {
            return basis == Basis.GUESSED;
        }

        /** How long it takes; absent if that is not known. */
        @Nullable
        Long micros() {
            return micros;
        }

        /** What counts of a resource: a measured need may be too high, so no more than an idle worker has. */
        long amount(int resource, long whole) {
            if (resource > 0 || basis == Basis.SAID) {
                return amounts[resource];
            }
            long wanted = isGuess() ? Math.max(guess.least, whole / guess.part) : amounts[resource];
            return whole > 0 ? Math.min(wanted, whole) : wanted;
        }
    }
}
