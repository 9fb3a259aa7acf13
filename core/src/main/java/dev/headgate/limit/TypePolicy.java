package dev.headgate.limit;

import dev.headgate.internal.text.Names;
import dev.headgate.job.Lane;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/**
 * What the policy of a job type demands of its jobs: {@code requires provider, tenant:*}.
 *
 * @param requires gates that each job must name; of a name that ends in {@code *}, one with that beginning
 */
public record TypePolicy(List<String> requires) {
    private static final String WORD = "requires";

    public TypePolicy {
        requires = List.copyOf(new TreeSet<>(requires));
        requires.forEach(gate -> Names.check(WORD, gate));
        if (requires.isEmpty() || requires.size() > Lane.GATES_MAX) {
            throw new IllegalArgumentException(
                    "requires: expected 1 to %d gates, got %d".formatted(Lane.GATES_MAX, requires.size()));
        }
    }

    /** Those that none of these gates fulfils. */
    public List<String> lacking(Collection<String> gates) {
        List<String> lacking = new ArrayList<>();
        for (String required : requires) {
            if (gates.stream().noneMatch(gate -> GateKey.gate(required).covers(GateKey.gate(gate)))) {
                lacking.add(required);
            }
        }
        return lacking;
    }

    /** As people write it: {@code requires provider, tenant:*}. What means something here is written %20, %25, %2C, %3B or %7C in a name. */
    public String text() {
        return WORD + " "
                + String.join(", ", requires.stream().map(TypePolicy::escaped).toList());
    }

    /** Reads what {@link #text} wrote. */
    static TypePolicy parse(String text) {
        String names = text.strip().substring(WORD.length()).strip();
        if (names.isEmpty()) {
            throw new IllegalArgumentException(
                    "'%s': expected gates after 'requires', such as requires provider, tenant:*".formatted(text));
        }
        return new TypePolicy(Arrays.stream(names.split("\\s*,\\s*", -1))
                .map(name -> unescaped(name, text))
                .toList());
    }

    private static String escaped(String name) {
        return name.replace("%", "%25")
                .replace(" ", "%20")
                .replace(",", "%2C")
                .replace(";", "%3B")
                .replace("|", "%7C");
    }

    private static String unescaped(String name, String text) {
        if (name.isEmpty() || name.chars().anyMatch(Character::isWhitespace)) {
            throw new IllegalArgumentException(
                    "'%s': expected names with commas between, got '%s'; write %%20 for a space in a name"
                            .formatted(text.strip(), name));
        }
        return name.replace("%20", " ")
                .replace("%2C", ",")
                .replace("%3B", ";")
                .replace("%7C", "|")
                .replace("%25", "%");
    }
}
