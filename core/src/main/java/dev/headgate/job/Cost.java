package dev.headgate.job;

import dev.headgate.internal.text.Names;
import dev.headgate.internal.text.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a job takes of budgets and of limits by cost: a number of units, and other numbers at single gates (requests
 * at one, tokens at another). As text {@code 5}, or {@code 5 gpu=2 openai=1500}.
 *
 * @param units at its queue and at every gate that is not named
 * @param byGate at these gates
 */
public record Cost(long units, Map<String, Long> byGate) {
    /** One unit everywhere, the cost of jobs that name none. */
    public static final Cost ONE = new Cost(1, Map.of());
    /** The most units of one job at one gate. */
    public static final long UNITS_MAX = 1_000_000_000_000L;

    private static final int GATES_MAX = 16;

    public Cost {
        check("cost", units);
        Map<String, Long> differing = new TreeMap<>();
        for (Map.Entry<String, Long> gate : byGate.entrySet()) {
            Names.check("gate", gate.getKey());
            check("cost at gate " + Text.visible(gate.getKey()), gate.getValue());
            if (gate.getValue() != units) {
                differing.put(gate.getKey(), gate.getValue());
            }
        }
        if (differing.size() > GATES_MAX) {
            throw new IllegalArgumentException("cost: expected units of its own for at most %d gates, got %d"
                    .formatted(GATES_MAX, differing.size()));
        }
        byGate = Map.copyOf(differing);
    }

    private static void check(String what, long units) {
        if (units < 0 || units > UNITS_MAX) {
            throw new IllegalArgumentException("%s: expected 0 to %d units, got %d".formatted(what, UNITS_MAX, units));
        }
    }

    /** The same number of units at its queue and at every gate. */
    public static Cost of(long units) {
        return units == 1 ? ONE : new Cost(units, Map.of());
    }

    /** The units it takes of this gate. */
    public long at(String gate) {
        return byGate.isEmpty() ? units : byGate.getOrDefault(gate, units);
    }

    /** The same cost with a number of its own at one gate. */
    public Cost with(String gate, long unitsThere) {
        Map<String, Long> changed = new TreeMap<>(byGate);
        changed.put(gate, unitsThere);
        return new Cost(units, changed);
    }

    /** The one form that {@link #parse} reads back; equal costs have equal texts. */
    public String text() {
        StringBuilder text = new StringBuilder().append(units);
        new TreeMap<>(byGate)
                .forEach((gate, there) ->
                        text.append(' ').append(escaped(gate)).append('=').append(there));
        return text.toString();
    }

    /** Reads {@code 5} or {@code 5 openai=1500 gpu=2}; in a name a space, = or % is written %20, %3D or %25. */
    public static Cost parse(String text) {
        if (text.equals("1")) {
            return ONE; // what nearly every stored row says
        }
        List<String> words = new ArrayList<>(List.of(text.strip().split(" +", -1)));
        long units = whole(words.removeFirst(), text);
        Map<String, Long> byGate = new TreeMap<>();
        for (String word : words) {
            int equals = word.indexOf('=');
            if (equals < 1) {
                throw unreadable(text, "'%s' is not gate=units".formatted(word));
            }
            String gate = word.substring(0, equals)
                    .replace("%20", " ")
                    .replace("%3D", "=")
                    .replace("%25", "%");
            if (byGate.put(gate, whole(word.substring(equals + 1), text)) != null) {
                throw unreadable(text, "gate '%s' is named twice".formatted(gate));
            }
        }
        return new Cost(units, byGate);
    }

    private static String escaped(String gate) {
        return gate.replace("%", "%25").replace("=", "%3D").replace(" ", "%20");
    }

    private static long whole(String number, String text) {
        try {
            return Long.parseLong(number);
        } catch (NumberFormatException notWhole) {
            boolean isLarge = !number.isEmpty() && number.chars().allMatch(Character::isDigit);
            throw unreadable(
                    text,
                    isLarge
                            ? "'%s' is too large, expected at most %d".formatted(number, UNITS_MAX)
                            : "'%s' is not a whole number".formatted(number));
        }
    }

    private static IllegalArgumentException unreadable(String text, String why) {
        return new IllegalArgumentException(
                "cost '%s': %s; expected a form such as 5 or 5 openai=1500 gpu=2".formatted(text, why));
    }
}
