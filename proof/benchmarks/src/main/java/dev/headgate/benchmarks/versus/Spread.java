package dev.headgate.benchmarks.versus;

import java.util.List;

/** The middle and the ends of what several rounds found. */
record Spread(double median, double min, double max) {
    static Spread of(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        double median = sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
        return new Spread(median, sorted.getFirst(), sorted.getLast());
    }
}
