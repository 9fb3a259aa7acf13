package dev.headgate.benchmarks.versus;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Runs a contest in rounds. In each round every entrant has a new JVM and a new database on the same server, and another one
 * begins. What it prints and writes is the median of all rounds, with the spread.
 */
public final class Comparison {
    /** Where entrants are let loose. */
    public interface Ground {
        /** The URL of a new, empty database. */
        String fresh(String store);

        /** Takes it away again. */
        void discard(String url);
    }

    private static final int GIVE_UP_MINUTES = 10;

    private final Ground ground;
    private final int rounds;
    private final int jobs;
    private final Set<Entrant> invited;

    /**
     * @param jobs what Headgate gets in a round; the others get what they work off in about the same time
     * @param engines those that take part, such as {@code headgate,db-scheduler}; all if it is empty
     */
    public Comparison(Ground ground, int rounds, int jobs, String engines) {
        this.ground = ground;
        this.rounds = rounds;
        this.jobs = jobs;
        this.invited = Entrant.named(engines);
    }

    /** Prints a table and writes values and a picture into a folder. */
    public void run(Contest contest, String store, Path results) throws IOException, InterruptedException {
        Standings standings = new Standings(contest, store);
        for (int round = 0; round < rounds; round++) {
            for (Entry entry : order(contest.entries(), round)) {
                int amount = entry.who().share(store, jobs);
                if (amount > 0 && invited.contains(entry.who())) {
                    Outcome outcome = trial(contest, entry, store, amount);
                    standings.add(entry, outcome);
                    System.out.printf("  round %d, %s: %s%n", round + 1, entry.title(), words(outcome));
                }
            }
        }
        Report report = new Report(standings);
        System.out.print(report.table());
        report.write(results).forEach(file -> System.out.println("wrote " + file));
    }

    /** Each round another one begins, and so each runs after each other one's leavings. */
    static List<Entry> order(List<Entry> entries, int round) {
        List<Entry> order = new ArrayList<>(entries);
        Collections.rotate(order, -round);
        return order;
    }

    private static String words(Outcome outcome) {
        if (outcome.failure() != null) {
            return "failed: " + outcome.failure();
        }
        List<String> words = new ArrayList<>();
        outcome.figures().forEach((figure, value) -> {
            if (figure.isHeadline()) {
                words.add(figure.name().toLowerCase(Locale.ROOT).replace('_', ' ') + " " + Figure.text(value));
            }
        });
        return String.join(", ", words);
    }

    private Outcome trial(Contest contest, Entry entry, String store, int amount)
            throws IOException, InterruptedException {
        String url = ground.fresh(store);
        Path said = Files.createTempFile("headgate-trial", ".out");
        try {
            Process process = new ProcessBuilder(command(contest.phase(), entry, url, amount))
                    .redirectOutput(said.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!process.waitFor(GIVE_UP_MINUTES, TimeUnit.MINUTES)) {
                process.destroyForcibly().waitFor();
                return Outcome.failed("not done after %d minutes".formatted(GIVE_UP_MINUTES));
            }
            return Outcome.parse(Files.readAllLines(said, StandardCharsets.UTF_8));
        } finally {
            Files.deleteIfExists(said);
            ground.discard(url);
        }
    }

    static List<String> command(Contest.Phase phase, Entry entry, String url, int amount) {
        return List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx1g",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                "-Dseconds=" + Trial.SECONDS,
                "-cp",
                Objects.requireNonNull(System.getProperty("java.class.path")),
                Trial.class.getName(),
                phase.name(),
                entry.who().name(),
                entry.load().name(),
                url,
                Integer.toString(amount));
    }
}
