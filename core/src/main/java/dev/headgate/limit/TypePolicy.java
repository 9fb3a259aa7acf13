package dev.headgate.limit;

import dev.headgate.internal.text.Names;
import dev.headgate.job.Lane;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The policy of a job type: what it demands of its jobs, and what they have where their enqueue says nothing else. As text
 * {@code requires provider, tenant:*; defaults queue=llm gate=provider}. The two parts are set by different people, an operator and a
 * program, so a change of one leaves the other as it is.
 *
 * @param requires gates that each job must name; of a name that ends in {@code *}, one with that beginning
 * @param defaults absent if none are stored
 */
public record TypePolicy(List<String> requires, @Nullable TypeDefaults defaults) {
    /** Says nothing. */
    public static final TypePolicy NONE = new TypePolicy(List.of(), null);

    private static final String WORD = "requires";

    public TypePolicy {
        requires = List.copyOf(new TreeSet<>(requires));
        requires.forEach(gate -> Names.check(WORD, gate));
        if (requires.size() > Lane.GATES_MAX) {
            throw new IllegalArgumentException(
                    "requires: expected 1 to %d gates, got %d".formatted(Lane.GATES_MAX, requires.size()));
        }
    }

    /** Demands these gates, at least one. */
    public static TypePolicy requiring(List<String> gates) {
        if (gates.isEmpty()) {
            throw new IllegalArgumentException("requires: expected 1 to %d gates, got 0".formatted(Lane.GATES_MAX));
        }
        return new TypePolicy(gates, null);
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

    /** This, and the part of the other one that this does not set. */
    public TypePolicy and(@Nullable TypePolicy other) {
        return other == null
                ? this
                : new TypePolicy(
                        requires.isEmpty() ? other.requires : requires, defaults == null ? other.defaults : defaults);
    }

    /** Whether it has set a part that the other one sets. */
    public boolean sets(TypePolicy other) {
        return (!requires.isEmpty() && !other.requires.isEmpty()) || (defaults != null && other.defaults != null);
    }

    /** As people write it, one text for each part. What means something here is written %20, %25, %2C, %3B, %3D or %7C in a name. */
    public List<String> texts() {
        List<String> texts = new ArrayList<>();
        if (!requires.isEmpty()) {
            texts.add(WORD + " "
                    + String.join(", ", requires.stream().map(Escapes::written).toList()));
        }
        if (defaults != null) {
            texts.add(defaults.text());
        }
        return texts;
    }

    /** Reads one part. */
    static TypePolicy parse(String text) {
        if (text.strip().startsWith(TypeDefaults.WORD)) {
            return new TypePolicy(List.of(), TypeDefaults.parse(text));
        }
        String names = text.strip().substring(WORD.length()).strip();
        if (names.isEmpty()) {
            throw new IllegalArgumentException(
                    "'%s': expected gates after 'requires', such as requires provider, tenant:*".formatted(text));
        }
        return requiring(Arrays.stream(names.split("\\s*,\\s*", -1))
                .map(name -> name(name, text))
                .toList());
    }

    private static String name(String name, String text) {
        if (name.isEmpty() || name.chars().anyMatch(Character::isWhitespace)) {
            throw new IllegalArgumentException(
                    "'%s': expected names with commas between, got '%s'; write %%20 for a space in a name"
                            .formatted(text.strip(), name));
        }
        return Escapes.read(name);
    }
}
