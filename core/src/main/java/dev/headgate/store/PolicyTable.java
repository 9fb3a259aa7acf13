package dev.headgate.store;

import dev.headgate.admission.GateKey;
import dev.headgate.admission.GatePolicy;

/** Stored policies. */
public interface PolicyTable {
    /** Waits until no transaction that decided by the old policies is open, and keeps new ones out until the end. */
    void lockForChange();

    /** Stores, or removes if the policy is open, and raises the version. */
    long put(GateKey key, GatePolicy policy, long now);
}
