package dev.headgate.policy;

import java.time.Instant;
import java.util.List;

/**
 * One change of the stored policies, of one name or of several together.
 *
 * @param version 1 for the first change of a store, and one more for each that follows
 * @param at store time
 * @param author who made it: a person, or {@code program}
 * @param reason why; empty if no reason was given
 * @param changes in key order
 */
public record PolicyVersion(long version, Instant at, String author, String reason, List<PolicyChange> changes) {
    public PolicyVersion {
        changes = List.copyOf(changes);
    }
}
