package dev.headgate.resource;

import java.util.Collections;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What one run of a job takes of the machine it runs on: {@code Needs.memory(mb(256)).and("gpu", 1)}. A worker starts the
 * job only where that much is free, and keeps it for the job until it ends. Immutable.
 *
 * @param amounts by resource, all positive: {@link #MEMORY} in bytes, {@link #CPU} in thousandths of a core, any other in
 *     the units of its gauge or amount; see {@link Headroom}
 */
public record Needs(Map<String, Long> amounts) {
    /** Heap, in bytes. */
    public static final String MEMORY = "memory";
    /** Processor, in thousandths of a core. */
    public static final String CPU = "cpu";

    /** Nothing that is counted. */
    public static final Needs NONE = new Needs(Map.of());

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.:-]{1,64}");

    public Needs {
        amounts.forEach((resource, amount) -> {
            checkName(resource);
            if (amount <= 0) {
                throw new IllegalArgumentException(
                        "need of '%s': expected a positive amount, got %d; leave it out for none"
                                .formatted(resource, amount));
            }
        });
        amounts = Collections.unmodifiableMap(new TreeMap<>(amounts));
    }

    static String checkName(String resource) {
        if (!NAME.matcher(resource).matches()) {
            throw new IllegalArgumentException(
                    "resource: expected a name of 1 to 64 letters, digits and the signs _ . : -, got '%s'"
                            .formatted(resource));
        }
        return resource;
    }

    /** So much heap at its peak; {@link #mb} and {@link #gb} make it readable. */
    public static Needs memory(long bytes) {
        return of(MEMORY, bytes);
    }

    /** So many cores kept busy. */
    public static Needs cpu(int cores) {
        return of(CPU, Math.multiplyExact(1000L, cores));
    }

    /** Parts of a core: 250 is a quarter. */
    public static Needs cpuMillis(int thousandths) {
        return of(CPU, thousandths);
    }

    /** So much of a resource of your own, such as {@code gpu}; workers that have none never start the job. */
    public static Needs of(String resource, long amount) {
        return new Needs(Map.of(resource, amount));
    }

    /** The same and so much of another resource. */
    public Needs and(String resource, long amount) {
        return and(of(resource, amount));
    }

    /** Both; of a resource that both name, the sum. */
    public Needs and(Needs more) {
        Map<String, Long> sum = new TreeMap<>(amounts);
        more.amounts.forEach((resource, amount) -> sum.merge(resource, amount, Math::addExact));
        return new Needs(sum);
    }

    /** Megabytes in bytes. */
    public static long mb(int megabytes) {
        return megabytes * (1L << 20);
    }

    /** Gigabytes in bytes. */
    public static long gb(int gigabytes) {
        return gigabytes * (1L << 30);
    }

    /** How much of a resource; 0 if it is not named. */
    public long of(String resource) {
        return amounts.getOrDefault(resource, 0L);
    }

    /** Whether it needs nothing that is counted. */
    public boolean isNothing() {
        return amounts.isEmpty();
    }

    /** For the store: {@code gpu=1 memory=268435456}. */
    public String text() {
        StringJoiner text = new StringJoiner(" ");
        amounts.forEach((resource, amount) -> text.add(resource + "=" + amount));
        return text.toString();
    }

    /** Reads {@link #text} back. */
    public static Needs parse(String text) {
        Map<String, Long> amounts = new TreeMap<>();
        for (String part : text.isEmpty() ? new String[0] : text.split(" ", -1)) {
            int sign = part.indexOf('=');
            try {
                amounts.put(part.substring(0, Math.max(0, sign)), Long.parseLong(part.substring(sign + 1)));
            } catch (NumberFormatException notWhole) {
                throw new IllegalArgumentException(
                        "needs: expected a form such as gpu=1 memory=268435456, got '%s'".formatted(text));
            }
        }
        return new Needs(amounts);
    }

    /** An amount as people say it: {@code 256 MB}, {@code 1.5 cores}, {@code 2}. */
    public static String spoken(String resource, long amount) {
        return switch (resource) {
            case MEMORY -> bytes(amount);
            case CPU ->
                amount % 1000 == 0
                        ? "%d core%s".formatted(amount / 1000, amount == 1000 ? "" : "s")
                        : "%d thousandths of a core".formatted(amount);
            default -> Long.toString(amount);
        };
    }

    private static String bytes(long amount) {
        if (Math.abs(amount) >= 1L << 20) {
            return "%,d MB".formatted(amount >> 20);
        }
        return "%,d KB".formatted((amount + 1023) >> 10);
    }

    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(", ");
        amounts.forEach((resource, amount) -> text.add(resource + " " + spoken(resource, amount)));
        return isNothing() ? "nothing" : text.toString();
    }
}
