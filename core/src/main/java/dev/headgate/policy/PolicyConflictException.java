package dev.headgate.policy;

import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import org.jspecify.annotations.Nullable;

/**
 * A program declares other limits than are stored, and does not say which of the two is to hold. Nothing was changed.
 */
public final class PolicyConflictException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    private final transient GateKey key;
    private final String declared;
    private final String stored;
    private final long version;

    /**
     * Creates the exception.
     *
     * @param latest the version that made it what it is
     */
    public PolicyConflictException(
            GateKey key, GatePolicy declared, GatePolicy stored, @Nullable PolicyVersion latest) {
        super(message(key, declared, stored, latest));
        this.key = key;
        this.declared = declared.text();
        this.stored = stored.text();
        this.version = latest == null ? 0 : latest.version();
    }

    private static String message(GateKey key, GatePolicy declared, GatePolicy stored, @Nullable PolicyVersion latest) {
        String origin = latest == null
                ? ""
                : " (version %d, by %s at %s%s)"
                        .formatted(
                                latest.version(),
                                latest.author(),
                                latest.at(),
                                latest.reason().isEmpty() ? "" : ": " + latest.reason());
        String found = stored.isOpen() ? "its policy was removed" : "'%s' is stored".formatted(stored.text());
        return ("policy of %s: the program declares '%s', but %s%s; change the declaration, or let"
                        + " policies().replacing() store it as a new version, or policies().keeping() leave what is stored")
                .formatted(key, declared.text(), found, origin);
    }

    /** The gate or queue that the program declared. */
    public GateKey key() {
        return key;
    }

    /** The limits in the program. */
    public String declared() {
        return declared;
    }

    /** The limits in the store; empty if they were removed. */
    public String stored() {
        return stored;
    }

    /** The version that stored or removed them. */
    public long version() {
        return version;
    }
}
