package dev.headgate.job;

import dev.headgate.internal.text.Names;
import java.time.Duration;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * One part that a job type can say of its jobs: what it has to be, and whom to tell.
 *
 * @param wanted what a function has to return, in messages
 * @param check returns the value, or throws a message that begins with the name of the part, its first argument
 */
record Part<V>(String wanted, BiFunction<String, V, V> check, BiConsumer<JobType.Defaults, V> tell) {
    static final Part<String> QUEUE = new Part<>("a name", Part::checkQueue, JobType.Defaults::queue);
    static final Part<String> GATE = new Part<>("a name", Part::checkName, JobType.Defaults::gate);
    static final Part<Taken> TAKEN = new Part<>("a name and its units", Taken::check, Taken::tell);
    static final Part<Long> COST = new Part<>("a number of units", Part::checkUnits, JobType.Defaults::cost);
    static final Part<Integer> PRIORITY =
            new Part<>("a number", (what, value) -> JobSpec.Order.checkPriority(value), JobType.Defaults::priority);
    static final Part<Integer> ATTEMPTS =
            new Part<>("a number", (what, value) -> JobSpec.Tries.checkAttempts(value), JobType.Defaults::attempts);
    static final Part<RetryRule> RETRY = new Part<>("a RetryPolicy", Part::checkPresent, JobType.Defaults::retry);
    static final Part<Duration> TIMEOUT = new Part<>("a duration", Part::checkSpan, JobType.Defaults::timeout);

    static Part<String> dedup(@Nullable Duration ttl) {
        return new Part<>("a key", Part::checkName, (said, key) -> said.dedup(key, ttl));
    }

    static Part<String> label(String name) {
        return new Part<>(
                "a value",
                (what, value) -> {
                    Attributes.checkLabels(Map.of(name, checkPresent(what, value)));
                    return value;
                },
                (said, value) -> said.label(name, value));
    }

    /** A gate, and what is taken there. */
    record Taken(@Nullable String gate, long units) {
        private static Taken check(String what, Taken taken) {
            checkName(what, taken.gate);
            checkUnits(what, taken.units);
            return taken;
        }

        private static void tell(JobType.Defaults said, Taken taken) {
            String gate = checkName("gate", taken.gate);
            said.gate(gate);
            said.units(gate, taken.units);
        }
    }

    private static <V> V checkPresent(String what, @Nullable V value) {
        if (value == null) {
            throw new IllegalArgumentException("%s: expected a value, got null".formatted(what));
        }
        return value;
    }

    private static String checkName(String what, @Nullable String name) {
        return Names.check(what, checkPresent(what, name));
    }

    private static String checkQueue(String what, @Nullable String name) {
        return Names.checkQueueOfJob(checkPresent(what, name));
    }

    private static long checkUnits(String what, long units) {
        if (units < 0 || units > Cost.UNITS_MAX) {
            throw new IllegalArgumentException(
                    "%s: expected 0 to %d units, got %d".formatted(what, Cost.UNITS_MAX, units));
        }
        return units;
    }

    static Duration checkSpan(String what, @Nullable Duration given) {
        return JobSpec.Tries.checkSpan(what, checkPresent(what, given));
    }
}
