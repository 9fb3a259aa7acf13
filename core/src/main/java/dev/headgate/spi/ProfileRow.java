package dev.headgate.spi;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a job type.
 *
 * @param needs what its handler declares, as {@code Needs.text}; empty if nothing
 * @param expected how long it is declared to run, in microseconds
 * @param runs what its runs have shown, as {@code Profile.text}; empty if nothing
 */
public record ProfileRow(
        String type, String needs, @Nullable Long expected, String runs, long updatedAt) {
    public static ProfileRow fresh(String type) {
        return new ProfileRow(type, "", null, "", 0);
    }

    /** Whether only the time of writing differs. */
    public boolean saysTheSameAs(ProfileRow other) {
        return needs.equals(other.needs) && Objects.equals(expected, other.expected) && runs.equals(other.runs);
    }
}
