package dev.headgate.benchmarks.versus;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What all rounds of a contest on one store found. */
final class Standings {
    private final String title;
    private final Map<Entry, List<Outcome>> byEntry = new LinkedHashMap<>();

    Standings(Contest contest, String store) {
        this.title = contest.title() + "-" + store;
        contest.entries().forEach(entry -> byEntry.put(entry, new ArrayList<>()));
    }

    String title() {
        return title;
    }

    void add(Entry entry, Outcome outcome) {
        byEntry.computeIfAbsent(entry, unknown -> new ArrayList<>()).add(outcome);
    }

    List<Entry> entries() {
        return List.copyOf(byEntry.keySet());
    }

    List<Outcome> outcomes(Entry entry) {
        return byEntry.getOrDefault(entry, List.of());
    }

    /** The figures that at least one engine has, in order. */
    List<Figure> figures() {
        Map<Figure, Boolean> seen = new EnumMap<>(Figure.class);
        byEntry.values()
                .forEach(outcomes -> outcomes.forEach(
                        outcome -> outcome.figures().keySet().forEach(figure -> seen.put(figure, true))));
        return List.copyOf(seen.keySet());
    }

    @Nullable
    Spread spread(Entry entry, Figure figure) {
        List<Double> values = outcomes(entry).stream()
                .flatMap(outcome -> Optional.ofNullable(outcome.figures().get(figure)).stream())
                .toList();
        return values.isEmpty() ? null : Spread.of(values);
    }

    /** Why an entry failed, if it did in any round. */
    Optional<String> failure(Entry entry) {
        return outcomes(entry).stream()
                .flatMap(outcome -> Optional.ofNullable(outcome.failure()).stream())
                .findFirst();
    }
}
