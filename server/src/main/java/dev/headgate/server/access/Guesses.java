package dev.headgate.server.access;

import static dev.headgate.limit.Limit.rate;

import dev.headgate.limiter.Limiter;
import dev.headgate.limiter.LocalLimiter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How many wrong tokens an address may send: ten at once, then one each six seconds. A secret of 256 bits is not found by
 * guessing; this keeps guessers from keeping the store busy.
 */
final class Guesses {
    private static final int BURST = 10;
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int ADDRESSES_MAX = 10_000;

    private final Map<String, LocalLimiter> byAddress = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, LocalLimiter> eldest) {
            return size() > ADDRESSES_MAX;
        }
    };

    /** Notes a wrong token of this address. */
    synchronized void count(String address) {
        byAddress
                .computeIfAbsent(
                        address,
                        one -> Limiter.inProcess(rate(BURST).per(MINUTE).burst(BURST)))
                .tryStart(1);
    }

    /** Whether tokens of this address that are not known to be good are refused unseen. */
    synchronized boolean isShut(String address) {
        LocalLimiter limiter = byAddress.get(address);
        return limiter != null && limiter.check(1).isPresent();
    }
}
