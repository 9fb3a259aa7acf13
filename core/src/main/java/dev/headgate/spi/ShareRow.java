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
    public record Place(GateKey order, String share) {
        public static Place unshared(GateKey order) {
            return new Place(order, "");
        }
    }

    public Place place() {
        return new Place(resource, key);
    }
}
