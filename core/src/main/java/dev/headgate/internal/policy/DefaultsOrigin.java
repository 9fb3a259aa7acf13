package dev.headgate.internal.policy;

import dev.headgate.limit.GateKey;
import dev.headgate.limit.TypeDefaults;
import dev.headgate.limit.TypePolicy;
import dev.headgate.policy.PolicyChange;
import dev.headgate.policy.PolicyEdit;
import dev.headgate.policy.PolicyEntry;
import dev.headgate.policy.PolicyVersion;
import dev.headgate.spi.PolicyTable;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What set the defaults of a job type last: the start of a worker, or a change on purpose. */
final class DefaultsOrigin {
    private static final long PAGE = 100;

    /** Older versions are not read: defaults whose origin is not known stand. */
    private static final long VERSIONS_MAX = 1_000;

    private DefaultsOrigin() {}

    /** Whether a worker that starts may store its own defaults of this type. */
    static boolean isRenewable(PolicyTable table, GateKey key, PolicyEntry before) {
        PolicyVersion latest = table.latestOf(key);
        if (latest == null) {
            return defaults(before) == null;
        }
        PolicyVersion setter = setsDefaults(latest, key) ? latest : olderSetter(table, key, latest.version());
        return setter == null ? defaults(before) == null : setter.author().equals(PolicyEdit.Renew.AUTHOR);
    }

    /** What a type requires may have been changed since, by others. */
    private static @Nullable PolicyVersion olderSetter(PolicyTable table, GateKey key, long before) {
        long last = Math.max(0, before - VERSIONS_MAX);
        for (long end = before; end > last; end -= PAGE) {
            List<PolicyVersion> page = table.versions(Math.max(0, end - PAGE) - 1, end);
            for (PolicyVersion version : page) {
                if (setsDefaults(version, key)) {
                    return version;
                }
            }
        }
        return null;
    }

    private static boolean setsDefaults(PolicyVersion version, GateKey key) {
        return version.changes().stream()
                .filter(change -> change.key().equals(key))
                .anyMatch(DefaultsOrigin::isOfDefaults);
    }

    private static boolean isOfDefaults(PolicyChange change) {
        return !Objects.equals(defaults(change.before()), defaults(change.after()));
    }

    private static @Nullable TypeDefaults defaults(PolicyEntry entry) {
        TypePolicy policy = entry.lasting().options().type();
        return policy == null ? null : policy.defaults();
    }
}
