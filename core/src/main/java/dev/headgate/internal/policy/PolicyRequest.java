package dev.headgate.internal.policy;

import dev.headgate.internal.text.Names;
import dev.headgate.internal.text.Text;
import dev.headgate.limit.GateKey;
import dev.headgate.policy.PolicyEdit;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Edits that become one version together, with their author and reason.
 *
 * @param expected the version that must still be the latest; absent if any may be
 */
public record PolicyRequest(
        SortedMap<GateKey, PolicyEdit> edits,
        String author,
        String reason,
        @Nullable Long expected) {
    /** The longest reason, in characters. */
    public static final int REASON_MAX = 1000;

    public PolicyRequest {
        edits = Collections.unmodifiableSortedMap(new TreeMap<>(edits));
        Names.check("author", author);
        if (reason.length() > REASON_MAX) {
            throw new IllegalArgumentException(
                    "reason: expected at most %d characters, got %d".formatted(REASON_MAX, reason.length()));
        }
        reason = Text.storable(reason, REASON_MAX);
    }

    public PolicyRequest(SortedMap<GateKey, PolicyEdit> edits, String author, String reason) {
        this(edits, author, reason, null);
    }

    /** A request with one edit. */
    public static PolicyRequest of(GateKey key, PolicyEdit edit, String author, String reason) {
        return new PolicyRequest(new TreeMap<>(java.util.Map.of(key, edit)), author, reason);
    }
}
