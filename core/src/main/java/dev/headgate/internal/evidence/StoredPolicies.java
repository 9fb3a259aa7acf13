package dev.headgate.internal.evidence;

import dev.headgate.limit.GateKey;
import dev.headgate.policy.PolicyEntry;
import dev.headgate.policy.PolicyVersion;
import java.util.List;
import java.util.Map;

/**
 * What a store has of its policies.
 *
 * @param version the newest
 * @param versions the changes from which on all are kept, newest first
 * @param now what is stored under each name
 */
public record StoredPolicies(long version, List<PolicyVersion> versions, Map<GateKey, PolicyEntry> now) {
    /** Nothing is known of them. */
    static final StoredPolicies NONE = new StoredPolicies(Long.MAX_VALUE, List.of(), Map.of());
}
