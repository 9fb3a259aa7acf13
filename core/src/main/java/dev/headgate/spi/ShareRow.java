package dev.headgate.spi;

import dev.headgate.internal.admission.Shares.Share;
import dev.headgate.limit.GateKey;

/**
 * One share of a fair queue or gate as stored.
 *
 * @param resource the fair queue or gate
 * @param key the name of the gate that is shared by; empty for jobs without one
 */
public record ShareRow(GateKey resource, String key, Share share) {
    /** Where lanes stand: in the order of a queue or the line of a gate, under one share of it; empty if it is not fair. */
    public record OrderKey(GateKey order, String share) {
        public static OrderKey unshared(GateKey order) {
            return new OrderKey(order, "");
        }
    }

    public OrderKey place() {
        return new OrderKey(resource, key);
    }
}
