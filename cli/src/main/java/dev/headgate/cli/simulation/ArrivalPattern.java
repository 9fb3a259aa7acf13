package dev.headgate.cli.simulation;

import dev.headgate.internal.simulate.SimulatedJob;
import dev.headgate.internal.time.Micros;
import dev.headgate.job.Cost;
import dev.headgate.job.Lane;
import dev.headgate.limit.Spans;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Future jobs, as a command line writes them: {@code 50/1s for 2m gate openai cost 3 run 400ms}, evenly spaced, or
 * {@code 500} for that many at once. Words may follow in any order: queue, gate (also several), cost, run, after.
 *
 * @param count how many
 * @param spread over how many microseconds they are spread
 * @param run absent if the command's own applies
 */
record ArrivalPattern(
        long count,
        long spread,
        Lane lane,
        long cost,
        long after,
        @Nullable Duration run) {
    private static final String FORM =
            "expected a form such as 500 gate openai, or 50/1s for 2m queue mail gate openai cost 3 run 400ms";

    static ArrivalPattern parse(String text) {
        String[] words = text.strip().split("\\s+", -1);
        String[] ratio = words[0].split("/", -1);
        long number = whole(text, ratio[0]);
        Duration per = ratio.length == 2 ? Spans.parsePeriod(ratio[1]) : null;
        Duration span = null;
        String queue = "default";
        List<String> gates = new ArrayList<>();
        long cost = 1;
        Duration after = Duration.ZERO;
        Duration run = null;
        for (int i = 1; i < words.length; i += 2) {
            if (i + 1 == words.length) {
                throw wrong(text, "nothing follows '%s'".formatted(words[i]));
            }
            String value = words[i + 1];
            switch (words[i]) {
                case "for" -> span = Spans.parse(value);
                case "queue" -> queue = value;
                case "gate" -> gates.add(value);
                case "cost" -> cost = whole(text, value);
                case "after" -> after = Spans.parse(value);
                case "run" -> run = Spans.parse(value);
                default -> throw wrong(text, "unknown word '%s'".formatted(words[i]));
            }
        }
        if (ratio.length > 2 || (per == null) != (span == null) || number < 1 || (per != null && per.isZero())) {
            throw wrong(text, "a rate and 'for' go together, and numbers are 1 or more");
        }
        long spread = span == null ? 0 : Micros.of(span);
        BigInteger count = per == null
                ? BigInteger.valueOf(number)
                : BigInteger.valueOf(number)
                        .multiply(BigInteger.valueOf(spread))
                        .divide(BigInteger.valueOf(Micros.of(per)));
        if (count.bitLength() > 40) {
            throw wrong(text, "these are too many jobs");
        }
        return new ArrivalPattern(count.longValueExact(), spread, new Lane(queue, gates), cost, Micros.of(after), run);
    }

    private static long whole(String text, String number) {
        try {
            return Long.parseLong(number);
        } catch (NumberFormatException notWhole) {
            throw wrong(text, "'%s' is not a whole number".formatted(number));
        }
    }

    private static IllegalArgumentException wrong(String text, String why) {
        return new IllegalArgumentException("arrivals '%s': %s; %s".formatted(text, why, FORM));
    }

    /** The jobs themselves, numbered from {@code firstId} on, each with its slot for so long. */
    List<SimulatedJob> jobs(long firstId, long start, Duration runs) {
        List<SimulatedJob> jobs = new ArrayList<>();
        long span = Micros.of(runs);
        for (long i = 0; i < count; i++) {
            long id = firstId + i;
            long arrives = start + after + Math.multiplyExact(i, spread) / count;
            jobs.add(new SimulatedJob(id, lane, id, Cost.of(cost), arrives, span));
        }
        return jobs;
    }
}
