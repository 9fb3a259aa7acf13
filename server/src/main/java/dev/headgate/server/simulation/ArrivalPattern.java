package dev.headgate.server.simulation;

import dev.headgate.Simulation;
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
 * @param spread over what they are spread
 * @param run absent if the command's own says it
 */
public record ArrivalPattern(
        long count,
        Duration spread,
        Lane lane,
        long cost,
        Duration after,
        @Nullable Duration run) {
    private static final String FORM =
            "expected a form such as 500 gate openai, or 50/1s for 2m queue mail gate openai cost 3 run 400ms";

    /** Reads the text form. */
    public static ArrivalPattern parse(String text) {
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
        Duration spread = span == null ? Duration.ZERO : span;
        BigInteger count = per == null
                ? BigInteger.valueOf(number)
                : BigInteger.valueOf(number).multiply(micros(spread)).divide(micros(per));
        if (count.bitLength() > 40) {
            throw wrong(text, "these are too many jobs");
        }
        return new ArrivalPattern(count.longValueExact(), spread, new Lane(queue, gates), cost, after, run);
    }

    private static BigInteger micros(Duration span) {
        return BigInteger.valueOf(span.toSeconds())
                .multiply(BigInteger.valueOf(1_000_000))
                .add(BigInteger.valueOf(span.toNanosPart() / 1_000));
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

    /** Adds them to a simulation in which each has its slot for so long. */
    public void addTo(Simulation simulation, Duration runs) {
        simulation.arrivals(lane, Cost.of(cost), count, after, spread, runs);
    }
}
