package dev.headgate.job;

import dev.headgate.internal.text.Names;

/**
 * A kind of job: the name it is stored under and the Java type of its payload, usually a record.
 *
 * <p>The name is what is stored; the class never is. Renaming or moving the class does not touch waiting jobs, and a
 * row in the store can never choose a class.
 */
public record JobType<T>(String name, Class<T> payload) {
    public JobType {
        Names.check("job type", name);
    }

    /** A job type with this name, 1 to 200 characters. */
    public static <T> JobType<T> of(String name, Class<T> payload) {
        return new JobType<>(name, payload);
    }
}
