package dev.headgate.run;

/** The number a store gave to a run of a workflow. It never changes. */
public record RunId(long value) implements Comparable<RunId> {
    public RunId {
        if (value < 1) {
            throw new IllegalArgumentException("run id: expected a positive number, got %d".formatted(value));
        }
    }

    /** The id with this number. */
    public static RunId of(long value) {
        return new RunId(value);
    }

    /** Reads an id as people and commands write it. */
    public static RunId parse(String text) {
        try {
            return new RunId(Long.parseLong(text.strip()));
        } catch (NumberFormatException notANumber) {
            throw new IllegalArgumentException(
                    "run id: expected a positive number such as 4711, got '%s'".formatted(text), notANumber);
        }
    }

    @Override
    public int compareTo(RunId other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
