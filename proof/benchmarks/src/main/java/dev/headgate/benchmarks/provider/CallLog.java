package dev.headgate.benchmarks.provider;

import java.util.List;

/** What a provider wrote down: one entry for each call, in the order of receipt. */
record CallLog(List<Call> calls) {
    /**
     * One call.
     *
     * @param at when it arrived, in microseconds of the wall clock
     * @param sent when its job was enqueued on the same clock, or 0 if it was one of a flood
     */
    record Call(long at, boolean isAccepted, long sent) {
        static Call parse(String line) {
            String[] parts = line.split(" ", -1);
            return new Call(Long.parseLong(parts[0]), parts[1].equals("200"), Long.parseLong(parts[2]));
        }

        String text() {
            return "%d %d %d".formatted(at, isAccepted ? 200 : 429, sent);
        }

        boolean isOfFlood() {
            return sent == 0;
        }
    }

    long refused() {
        return calls.stream().filter(call -> !call.isAccepted()).count();
    }

    /**
     * Of a flood that lasts at least so many seconds, a whole number of periods, the accepted calls from the first one on, as a share of the
     * most that the provider would have accepted. Of fixed windows only those count that lie in it as a whole.
     */
    double share(Allowance allowance, int seconds) {
        long per = allowance.per().toNanos() / 1_000;
        long from = calls.stream()
                .filter(Call::isOfFlood)
                .mapToLong(Call::at)
                .findFirst()
                .orElse(0);
        long to = from + seconds * 1_000_000L;
        if (allowance.kind() == Allowance.Kind.FIXED) {
            from = Math.ceilDiv(from, per) * per;
            to = Math.floorDiv(to, per) * per;
        }
        long accepted = 0;
        for (Call call : calls) {
            accepted += call.isOfFlood() && call.isAccepted() && call.at() >= from && call.at() < to ? 1 : 0;
        }
        return (double) accepted / allowance.most((to - from) / per);
    }

    /** From enqueue to the receipt of the accepted call, in milliseconds, of what was enqueued one by one; sorted. */
    double[] latencies() {
        return calls.stream()
                .filter(call -> !call.isOfFlood() && call.isAccepted())
                .mapToDouble(call -> (call.at() - call.sent()) / 1e3)
                .sorted()
                .toArray();
    }

    /** This part of a sorted row, or NaN if there is none. */
    static double quantile(double[] sorted, double part) {
        return sorted.length == 0 ? Double.NaN : sorted[Math.min(sorted.length - 1, (int) (sorted.length * part))];
    }
}
