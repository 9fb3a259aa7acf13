package dev.headgate.limit;

import dev.headgate.internal.text.Names;
import dev.headgate.job.Attributes;
import dev.headgate.job.Cost;
import dev.headgate.job.JobSpec;
import dev.headgate.job.JobType;
import dev.headgate.job.Lane;
import dev.headgate.job.RetryRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The defaults of a job type that are the same for all payloads, as they are stored: {@code defaults queue=llm gate=provider cost=5}. So
 * they hold also for commands and for programs without the class of the type.
 *
 * @param gates gates that its jobs pass, besides those that are named
 * @param unitsAt what they take at these gates
 * @param labels what their labels are
 * @param values the rest, by name: {@code queue}, {@code cost}, {@code priority}, {@code attempts}, {@code retry}, {@code timeout},
 *     {@code dedup}, each in its text form
 */
public record TypeDefaults(
        List<String> gates, Map<String, Long> unitsAt, Map<String, String> labels, Map<String, String> values) {
    static final String WORD = "defaults";

    private static final List<String> NAMES =
            List.of("queue", "cost", "priority", "attempts", "retry", "timeout", "dedup");
    private static final String CONTENT = "content";

    public TypeDefaults {
        gates = List.copyOf(new TreeSet<>(gates));
        unitsAt = Map.copyOf(unitsAt);
        labels = Map.copyOf(Attributes.checkLabels(labels));
        values = Map.copyOf(values);
    }

    /** Those of this type that do not depend on the payload; absent if there are none. */
    public static @Nullable TypeDefaults of(JobType<?> type) {
        Collected said = new Collected();
        type.constants(said);
        return said.gates.isEmpty() && said.labels.isEmpty() && said.values.isEmpty()
                ? null
                : new TypeDefaults(said.gates, said.unitsAt, said.labels, said.values);
    }

    /** Tells them as the type itself would. */
    public void tell(JobType.Defaults said) {
        gates.forEach(said::gate);
        unitsAt.forEach(said::units);
        labels.forEach(said::label);
        each("queue", said::queue);
        each("cost", text -> said.cost(Long.parseLong(text)));
        each("priority", text -> said.priority(Integer.parseInt(text)));
        each("attempts", text -> said.attempts(Integer.parseInt(text)));
        each("retry", text -> said.retry(() -> text));
        each("timeout", text -> said.timeout(Spans.parse(text)));
        each("dedup", text -> said.dedupByContent(text.equals(CONTENT) ? null : Spans.parse(text)));
    }

    private void each(String name, java.util.function.Consumer<String> tell) {
        String text = values.get(name);
        if (text != null) {
            tell.accept(text);
        }
    }

    /** The text of the retry policy; absent if there is none. */
    public @Nullable String retry() {
        return values.get("retry");
    }

    /** One line: {@code defaults queue=llm gate=provider units=provider=7 cost=5}. */
    public String text() {
        List<String> words = new ArrayList<>(List.of(WORD));
        gates.forEach(gate -> words.add("gate=" + Escapes.written(gate)));
        new TreeMap<>(unitsAt).forEach((gate, units) -> words.add("units=" + Escapes.written(gate) + "=" + units));
        new TreeMap<>(labels).forEach((label, value) -> words.add("label=" + label + "=" + Escapes.written(value)));
        NAMES.forEach(name -> each(name, text -> words.add(name + "=" + Escapes.written(text))));
        return String.join(" ", words);
    }

    /** Reads what {@link #text} wrote, or a person wrote in the same form. */
    static TypeDefaults parse(String part) {
        List<String> gates = new ArrayList<>();
        Map<String, Long> unitsAt = new TreeMap<>();
        Map<String, String> labels = new TreeMap<>();
        Map<String, String> values = new TreeMap<>();
        String[] words = part.strip().split("\\s+", -1);
        for (int i = 1; i < words.length; i++) {
            String[] pair = words[i].split("=", 2);
            String name = pair[0].toLowerCase(Locale.ROOT);
            String value = pair.length < 2 ? "" : pair[1];
            int equals = value.lastIndexOf('=');
            boolean isTwice = false;
            try {
                if (value.isEmpty()) {
                    throw new IllegalArgumentException("expected name=value");
                } else if (name.equals("gate")) {
                    gates.add(Names.check("gate", Escapes.read(value)));
                } else if (name.equals("units") && equals > 0) {
                    isTwice = unitsAt.put(Escapes.read(value.substring(0, equals)), units(value.substring(equals + 1)))
                            != null;
                } else if (name.equals("label")) {
                    isTwice = addLabel(labels, value);
                } else {
                    isTwice = !NAMES.contains(name) || values.put(name, checked(name, Escapes.read(value))) != null;
                }
                if (isTwice) {
                    throw new IllegalArgumentException(
                            "expected each of gate, units, label, %s at most once, but several gates and labels, and units once for each"
                                    .formatted(String.join(", ", NAMES)));
                }
            } catch (IllegalArgumentException fault) {
                throw new IllegalArgumentException(
                        "'%s', at '%s': %s; expected a form such as defaults queue=llm gate=provider cost=5 timeout=20s"
                                .formatted(part.strip(), words[i], fault.getMessage()),
                        fault);
            }
        }
        if (gates.isEmpty() && labels.isEmpty() && values.isEmpty()) {
            throw new IllegalArgumentException(
                    "'%s': expected something such as defaults queue=llm gate=provider cost=5".formatted(part.strip()));
        }
        if (gates.size() > Lane.GATES_MAX) {
            throw new IllegalArgumentException(
                    "'%s': expected at most %d gates".formatted(part.strip(), Lane.GATES_MAX));
        }
        for (String gate : unitsAt.keySet()) {
            if (!gates.contains(gate)) {
                throw new IllegalArgumentException(
                        "'%s': expected units at gates that are named, got '%s' among %s; say gate=%s too"
                                .formatted(
                                        part.strip(),
                                        gate,
                                        gates.isEmpty() ? "none" : String.join(", ", gates),
                                        Escapes.written(gate)));
            }
        }
        return new TypeDefaults(gates, unitsAt, labels, values);
    }

    /** Returns whether there was one of this name. */
    private static boolean addLabel(Map<String, String> labels, String text) {
        int equals = text.indexOf('=');
        if (equals < 1) {
            throw new IllegalArgumentException("expected label=NAME=VALUE");
        }
        String name = text.substring(0, equals);
        String value = Escapes.read(text.substring(equals + 1));
        Attributes.checkLabels(Map.of(name, value));
        return labels.put(name, value) != null;
    }

    private static long units(String text) {
        return Cost.of(whole(text)).units();
    }

    private static long whole(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException notWhole) {
            boolean isLarge = !text.isEmpty() && text.chars().allMatch(Character::isDigit);
            throw new IllegalArgumentException(
                    "expected a %s number, got '%s'".formatted(isLarge ? "smaller" : "whole", text), notWhole);
        }
    }

    /** A number that an int cannot hold becomes the next one that it can, which is out of every range here too. */
    private static int number(String text) {
        return Math.clamp(whole(text), Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    /** A retry policy is read where policies are stored: its text belongs to handlers. */
    private static String checked(String name, String value) {
        switch (name) {
            case "queue" -> Names.checkQueueOfJob(value);
            case "cost" -> units(value);
            case "priority" -> JobSpec.Order.checkPriority(number(value));
            case "attempts" -> JobSpec.Tries.checkAttempts(number(value));
            case "timeout" -> JobSpec.Tries.checkSpan(name, Spans.parse(value));
            case "dedup" -> {
                if (!value.equals(CONTENT)) {
                    JobSpec.Tries.checkSpan(name, Spans.parse(value));
                }
            }
            default -> {}
        }
        return value;
    }

    /** Hears them from a type. */
    private static final class Collected implements JobType.Defaults {
        private final List<String> gates = new ArrayList<>();
        private final Map<String, Long> unitsAt = new TreeMap<>();
        private final Map<String, String> labels = new TreeMap<>();
        private final Map<String, String> values = new TreeMap<>();

        @Override
        public void label(String name, String value) {
            labels.put(name, value);
        }

        @Override
        public void queue(String name) {
            values.put("queue", name);
        }

        @Override
        public void gate(String name) {
            gates.add(name);
        }

        @Override
        public void units(String gate, long units) {
            unitsAt.put(gate, units);
        }

        @Override
        public void cost(long units) {
            values.put("cost", Long.toString(units));
        }

        @Override
        public void priority(int value) {
            values.put("priority", Integer.toString(value));
        }

        @Override
        public void attempts(int most) {
            values.put("attempts", Integer.toString(most));
        }

        @Override
        public void retry(RetryRule rule) {
            values.put("retry", rule.text());
        }

        @Override
        public void timeout(Duration perAttempt) {
            values.put("timeout", Spans.text(perAttempt));
        }

        /** No constant: a type makes keys of payloads. */
        @Override
        public void dedup(String key, @Nullable Duration ttl) {}

        @Override
        public void dedupByContent(@Nullable Duration ttl) {
            values.put("dedup", ttl == null ? CONTENT : Spans.text(ttl));
        }
    }
}
