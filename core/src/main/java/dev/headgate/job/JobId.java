package dev.headgate.job;

/** The number a store gave to a job. It never changes, also when the job moves to history or is redriven. */
public record JobId(long value) implements Comparable<JobId> {
    public JobId {
        if (value < 1) {
            throw new IllegalArgumentException("job id: expected a positive number, got %d".formatted(value));
        }
    }

    /** The id with this number. */
    public static JobId of(long value) {
        return new JobId(value);
    }

    /** Reads an id as people and commands write it. */
    public static JobId parse(String text) {
        try {
            return new JobId(Long.parseLong(text.strip()));
        } catch (NumberFormatException notANumber) {
            throw new IllegalArgumentException(
                    "job id: expected a positive number such as 4711, got '%s'".formatted(text), notANumber);
        }
    }

    @Override
    public int compareTo(JobId other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
