package dev.headgate.postgres.plans;

import dev.headgate.postgres.PostgresBackend;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Collects what is wrong with plans that were used, by the names of their statements. */
final class PlanJudge {
    /** What may read more than others, and how many times as much. */
    private static final Map<String, Integer> PATIENCE = Map.ofEntries(
            Map.entry("count_jobs_before", 4), // an explanation counts up to 10,000 that come first
            // A listing may look at 50,000 jobs, count 10,000 of each kind, or read 100,000 lanes.
            Map.entry("list_jobs", 100),
            Map.entry("list_ended", 100),
            Map.entry("list_aside", 100),
            Map.entry("list_unhappy", 100),
            Map.entry("list_labelled_jobs", 100),
            Map.entry("list_labelled_ended", 100),
            Map.entry("list_queues", 50),
            Map.entry("floor_of_jobs", 100),
            Map.entry("floor_of_ended", 100),
            Map.entry("floor_of_aside", 100),
            Map.entry("floor_of_unhappy", 100),
            Map.entry("floor_of_labelled_jobs", 100),
            Map.entry("floor_of_labelled_ended", 100),
            Map.entry("count_jobs", 20),
            Map.entry("count_ended", 20),
            Map.entry("count_aside", 60),
            Map.entry("count_unhappy", 20),
            Map.entry("count_queued", 100),
            Map.entry("line_jobs", 50),
            Map.entry("count_kept", 60),
            Map.entry("oldest_jobs", 20),
            Map.entry("count_in_line", 50),
            Map.entry("count_in_lines", 50),
            Map.entry("count_lines", 50));

    private final Map<String, String> names = new HashMap<>();
    private final Set<String> seen = new TreeSet<>();
    private final Set<String> faults = new TreeSet<>();

    PlanJudge() {
        try (Stream<Path> files = Files.list(statements())) {
            for (Path file : files.toList()) {
                for (String part : Files.readString(file).split("(?m)^-- then$", -1)) {
                    names.put(Plan.shape(part), file.getFileName().toString().replace(".sql", ""));
                }
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static Path statements() {
        try {
            return Path.of(Objects.requireNonNull(PostgresBackend.class.getResource("statement/ring.sql"))
                            .toURI())
                    .getParent();
        } catch (URISyntaxException failed) {
            throw new IllegalStateException(failed);
        }
    }

    void judge(String when, List<Plan> plans) {
        for (Plan plan : plans) {
            String name = names.getOrDefault(plan.sql(), plan.sql());
            seen.add(name);
            plan.faults(PATIENCE.getOrDefault(name, 1))
                    .forEach(fault -> faults.add("%s (%s): %s".formatted(name, when, fault)));
        }
    }

    /** The statements that were run. */
    Set<String> seen() {
        return seen;
    }

    Set<String> faults() {
        return faults;
    }

    static String resource(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(PlanJudge.class.getResourceAsStream(name))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
