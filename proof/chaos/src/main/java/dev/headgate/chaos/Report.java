package dev.headgate.chaos;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a run came to: faults, figures, findings. A finding is a broken promise; there must be none. Not thread-safe. */
final class Report {
    private static final int SHOWN_MAX = 10;

    private final String title;
    private final Map<String, Long> counts = new LinkedHashMap<>();
    private final Map<String, String> figures = new LinkedHashMap<>();
    private final Map<String, List<String>> findings = new TreeMap<>();
    private final Map<Fault, Long> faults = new TreeMap<>();
    private final Map<Fault, String> skipped = new TreeMap<>();

    Report(String title) {
        this.title = title;
    }

    void count(String what, long more) {
        counts.merge(what, more, Long::sum);
    }

    void figure(String what, String value) {
        figures.put(what, value);
    }

    void find(String promise, String what) {
        findings.computeIfAbsent(promise, any -> new ArrayList<>()).add(what);
    }

    void faults(Map<Fault, Long> done, Map<Fault, String> leftOut) {
        faults.putAll(done);
        skipped.putAll(leftOut);
    }

    long count(String what) {
        return counts.getOrDefault(what, 0L);
    }

    boolean isGood() {
        return findings.isEmpty();
    }

    Map<String, List<String>> findings() {
        return findings;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(title).append('\n');
        faults.forEach((fault, times) -> text.append("  %7d  %s%n".formatted(times, fault.text())));
        skipped.forEach((fault, why) -> text.append("  skipped  %s: %s%n".formatted(fault.text(), why)));
        counts.forEach((what, times) -> text.append("  %7d  %s%n".formatted(times, what)));
        figures.forEach((what, value) -> text.append("  %7s  %s%n".formatted(value, what)));
        if (findings.isEmpty()) {
            text.append("  no promise was broken\n");
        }
        findings.forEach((promise, all) -> {
            text.append("  BROKEN   %s, %d times%n".formatted(promise, all.size()));
            all.stream().limit(SHOWN_MAX).forEach(what -> text.append("             %s%n".formatted(what)));
        });
        return text.toString();
    }
}
