package dev.headgate.benchmarks.provider;

import java.util.Locale;

/**
 * What one cell gave.
 *
 * @param calls all calls at the provider, those of the steady part and those of the flood
 * @param refused how many of them were answered 429
 * @param share of the allowed rate, used by accepted calls in the flood
 * @param samples how many latencies there are
 * @param p50 from enqueue to receipt in milliseconds, while half of the allowed rate is asked for; NaN if cold
 * @param late late starts that the engine handed back, or -1 if it does not report them
 */
record Measured(long calls, long refused, double share, int samples, double p50, double p99, long late) {
    static Measured of(CallLog log, Allowance allowance, int seconds, long late) {
        double[] latencies = log.latencies();
        return new Measured(
                log.calls().size(),
                log.refused(),
                log.share(allowance, seconds),
                latencies.length,
                CallLog.quantile(latencies, 0.5),
                CallLog.quantile(latencies, 0.99),
                late);
    }

    String text() {
        String latency =
                samples == 0 ? "" : ", latency p50 %s ms, p99 %s ms of %d".formatted(number(p50), number(p99), samples);
        return "%,d calls, %,d answered 429, %s %% used%s%s"
                .formatted(
                        calls,
                        refused,
                        number(share * 100),
                        latency,
                        late < 0 ? "" : ", %,d late starts".formatted(late));
    }

    static String number(double value) {
        return Double.isNaN(value) ? "" : String.format(Locale.ROOT, "%.1f", value);
    }
}
