package dev.headgate.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.Headgate;
import dev.headgate.Workflows;
import dev.headgate.run.BudgetLine;
import dev.headgate.run.RunEvent;
import dev.headgate.run.RunFilter;
import dev.headgate.run.RunId;
import dev.headgate.run.RunState;
import dev.headgate.run.RunStatus;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Runs an example as a process of its own, kills it with SIGKILL at points drawn from a seed, starts it again until it ends,
 * and tells what the store says then: which parts there are, what each went through, and what was spent.
 */
final class KilledRuns {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Duration TAKEOVER = Duration.ofSeconds(2);

    private final Class<?> program;
    private final Path folder;

    KilledRuns(Class<?> program, Path folder) {
        this.program = program;
        this.folder = folder;
    }

    /**
     * All that must not depend on kills.
     *
     * @param parts by place in the tree: how each ended, and with what result
     * @param steps by place in the tree: the steps it entered, in order
     * @param artifacts of all runs
     */
    record Story(Map<String, String> parts, Map<String, List<String>> steps, Map<String, String> artifacts) {}

    /**
     * What came of one run.
     *
     * @param took from its first words to its end
     */
    record Outcome(Story story, List<String> printed, Duration took, int kills) {}

    /** Kills the program so many times, each time within {@code span} after it has begun to work, and lets it end then. */
    Outcome run(String name, int kills, Duration span, Random random) throws IOException, InterruptedException {
        String url = "jdbc:sqlite:" + folder.resolve(name + ".db");
        int done = 0;
        for (int i = 0; i < kills; i++) {
            // After the first kill it must wait until the leases of the killed have ended before all of it goes on.
            Duration within = i == 0 ? span : span.plus(TAKEOVER);
            done += killed(url, random.nextLong(1 + within.toMillis())) ? 1 : 0;
        }
        Process process = start(url);
        try (BufferedReader out = process.inputReader()) {
            assertThat(out.readLine()).startsWith("runs ");
            long begun = System.nanoTime();
            List<String> printed = out.lines().toList();
            assertThat(process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS))
                    .as("%s ends", name)
                    .isTrue();
            assertThat(process.exitValue()).as("%s: %s", name, printed).isZero();
            Duration took = Duration.ofNanos(System.nanoTime() - begun);
            return new Outcome(story(url), printed, took, done);
        } finally {
            process.destroyForcibly();
        }
    }

    /** Starts the program and kills it so long after its first words; false if it had ended by then. */
    private boolean killed(String url, long millis) throws IOException, InterruptedException {
        Process process = start(url);
        try (BufferedReader out = process.inputReader()) {
            assertThat(out.readLine()).startsWith("runs ");
            return !process.waitFor(millis, TimeUnit.MILLISECONDS);
        } finally {
            process.destroyForcibly();
            process.waitFor();
        }
    }

    private Process start(String url) throws IOException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName(),
                url);
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static Story story(String url) {
        try (Headgate headgate = Headgate.open(url)) {
            Workflows workflows = headgate.workflows();
            Story story = new Story(new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
            for (RunStatus root : workflows.list(RunFilter.all())) {
                checkBudget(root);
                add(workflows, root, story);
            }
            return story;
        }
    }

    /** Reaching a limit is fine, exceeding it is not; and a run that has ended reserves nothing. */
    private static void checkBudget(RunStatus root) {
        assertThat(root.state())
                .as("run %s: %s", root.id(), root.life().detail())
                .isEqualTo(RunState.SUCCEEDED);
        for (BudgetLine line : root.budget()) {
            assertThat(line.used()).as(line.toString()).isLessThanOrEqualTo(line.limit());
            assertThat(line.reserved()).as(line.toString()).isZero();
        }
    }

    private static void add(Workflows workflows, RunStatus root, Story story) {
        Map<RunId, String> places = new HashMap<>();
        for (RunStatus part : workflows.tree(root.id())) {
            String above = part.origin().parent() == null
                    ? root.origin().key() + " "
                    : places.get(part.origin().parent()) + "/";
            String place = unused(
                    story,
                    "%s%s[%d]"
                            .formatted(
                                    above, part.origin().name(), part.origin().place()));
            places.put(part.id(), place);
            story.parts()
                    .put(place, "%s %s".formatted(part.state(), part.position().json()));
            story.steps().put(place, new ArrayList<>());
            workflows
                    .artifacts(part.id())
                    .forEach(name -> story.artifacts()
                            .put(
                                    place + " " + name,
                                    workflows.findArtifact(part.id(), name).orElseThrow()));
        }
        for (RunEvent event : workflows.timeline(root.id())) {
            if (event.kind() != RunEvent.Kind.WARNED) {
                story.steps().get(places.get(event.part())).add(event.kind() + " " + event.step());
            }
        }
    }

    /** A loop makes parts of the same name and index in every round; they are numbered in the order they were made. */
    private static String unused(Story story, String place) {
        String free = place;
        for (int round = 2; story.parts().containsKey(free); round++) {
            free = place + "#" + round;
        }
        return free;
    }
}
