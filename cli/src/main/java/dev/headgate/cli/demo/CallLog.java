package dev.headgate.cli.demo;

import dev.headgate.cli.demo.Provider.Request;
import java.time.Duration;
import java.util.List;

/** What the provider saw, counted. Requests that it refused count as well: they were sent. */
final class CallLog {
    private final List<Request> requests;

    /** @param requests in the order they arrived */
    CallLog(List<Request> requests) {
        this.requests = List.copyOf(requests);
    }

    int calls() {
        return requests.size();
    }

    long refused() {
        return requests.stream().filter(request -> !request.isAccepted).count();
    }

    /** The most requests at one instant. */
    int peak() {
        return requests.stream().mapToInt(request -> request.atOnce).max().orElse(0);
    }

    /** The most requests of one tenant at one instant. */
    int peak(String tenant) {
        List<Request> own = requests.stream()
                .filter(request -> request.tenant.equals(tenant))
                .toList();
        int peak = 0;
        for (int i = 0; i < own.size(); i++) {
            int atOnce = 1;
            for (int j = 0; j < i; j++) {
                if (own.get(j).isAccepted && own.get(j).ended > own.get(i).arrived) {
                    atOnce++;
                }
            }
            peak = Math.max(peak, atOnce);
        }
        return peak;
    }

    /** The most arrivals in any half-open interval of this length. */
    int most(Duration window) {
        long length = window.toNanos();
        int most = 0;
        int first = 0;
        for (int last = 0; last < requests.size(); last++) {
            while (requests.get(last).arrived - requests.get(first).arrived >= length) {
                first++;
            }
            most = Math.max(most, last - first + 1);
        }
        return most;
    }

    /** From the first arrival to the last. */
    Duration span() {
        return requests.isEmpty()
                ? Duration.ZERO
                : Duration.ofNanos(requests.getLast().arrived - requests.getFirst().arrived);
    }

    /** How many calls were accepted in the second before this reading of the nanosecond clock. */
    long accepted(long now) {
        return requests.stream()
                .filter(request -> request.isAccepted && now - request.arrived < Provider.WINDOW.toNanos())
                .count();
    }

    /** Accepted calls as a share of the most that the provider would have accepted in that time. */
    double share() {
        long windows = span().dividedBy(Provider.WINDOW) + 1;
        return (double) (calls() - refused()) / (Provider.IN_WINDOW * windows);
    }
}
