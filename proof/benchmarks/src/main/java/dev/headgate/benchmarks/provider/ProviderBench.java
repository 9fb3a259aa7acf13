package dev.headgate.benchmarks.provider;

import dev.headgate.benchmarks.versus.Comparison.Ground;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Goes through the cells that its options choose, on each store: prints them, and writes values and a picture. */
public final class ProviderBench {
    private static final int SECONDS = Integer.getInteger("seconds", 20);
    private static final int TAKES_MILLIS = Integer.getInteger("takes", 20);
    private static final int SLOTS = Integer.getInteger("slots", 50);

    private final Ground ground;
    private final Path results;

    public ProviderBench(Ground ground, Path results) {
        this.ground = ground;
        this.results = results;
    }

    /** Calls and refused calls of a contender on a quiet or a busy machine. */
    private record Sum(long calls, long refused) {
        Sum plus(Measured found) {
            return new Sum(calls + found.calls(), refused + found.refused());
        }
    }

    public void run(List<String> stores) throws IOException, InterruptedException {
        List<Cell> cells = cells();
        try (ProviderProcess provider = new ProviderProcess()) {
            Trial trial = new Trial(provider, SECONDS, TAKES_MILLIS, SLOTS);
            for (String store : stores) {
                run(store, cells, trial);
            }
        }
    }

    private void run(String store, List<Cell> cells, Trial trial) throws IOException, InterruptedException {
        Results file = new Results(results.resolve("provider-" + store + ".csv"));
        Map<String, Sum> sums = new LinkedHashMap<>();
        for (Cell cell : cells) {
            if (!cell.approach().runsOn(store)) {
                continue;
            }
            String url = ground.fresh(store);
            String title = "%s, %s, %s".formatted(store, cell.conditions(), name(cell));
            try {
                Measured found = trial.run(cell, url);
                System.out.println(title + ": " + found.text());
                file.add(cell, SECONDS, found);
                String name = name(cell) + ", " + cell.machine();
                sums.put(name, sums.getOrDefault(name, new Sum(0, 0)).plus(found));
            } catch (InterruptedException stopped) {
                throw stopped;
            } catch (Exception failed) {
                System.out.println(title + ": failed: " + failed);
                file.add(cell, SECONDS, failed.toString());
            } finally {
                ground.discard(url);
            }
        }
        sums.forEach((name, sum) -> System.out.printf(
                "%s, all cells of %s: %,d calls, %,d answered 429%s%n",
                store,
                name,
                sum.calls(),
                sum.refused(),
                sum.refused() == 0 ? "" : ", 1 in " + sum.calls() / sum.refused()));
        Picture picture = file.picture(store + ": a provider that counts calls when they arrive");
        Path drawn = results.resolve("provider-" + store + ".svg");
        System.out.println("written: " + Files.writeString(drawn, picture.svg()) + " and the values beside it");
    }

    private static String name(Cell cell) {
        return cell.approach() == Approach.HEADGATE
                ? "headgate " + cell.limit()
                : cell.approach().id() + " " + cell.form();
    }

    private static List<Cell> cells() {
        List<Cell> cells = new ArrayList<>();
        for (String kind : chosen("kinds", List.of("sliding", "fixed", "bucket"))) {
            for (String figures : option("allows", "20/1s,200/1s")) {
                for (String processes : option("processes", "1,4")) {
                    for (String start : chosen("starts", List.of("warm", "cold"))) {
                        for (String machine : chosen("machines", List.of("quiet", "busy"))) {
                            cells.addAll(contenders(kind, figures, processes, start, machine));
                        }
                    }
                }
            }
        }
        return cells;
    }

    private static List<Cell> contenders(String... conditions) {
        List<Cell> cells = new ArrayList<>();
        for (String form : forms()) {
            for (String who : option("who", "headgate,bucket4j,resilience4j")) {
                String margin = who.equals("headgate") ? System.getProperty("margin", "") : "";
                Cell cell = Cell.of(
                        who, form, conditions[0], conditions[1], conditions[2], conditions[3], conditions[4], margin);
                if (SECONDS * 1_000L % cell.allowance().per().toMillis() != 0) {
                    throw new IllegalArgumentException("seconds: expected whole periods of %s, got %d"
                            .formatted(cell.allowance().figures(), SECONDS));
                }
                cells.add(cell);
            }
        }
        return cells;
    }

    private static List<String> forms() {
        return System.getProperty("forms") == null ? List.of("copied") : chosen("forms", List.of("copied", "spaced"));
    }

    private static List<String> chosen(String name, List<String> all) {
        List<String> chosen = option(name, String.join(",", all));
        if (!all.containsAll(chosen)) {
            throw new IllegalArgumentException("%s: expected any of %s, got %s".formatted(name, all, chosen));
        }
        return chosen;
    }

    private static List<String> option(String name, String otherwise) {
        return List.of(System.getProperty(name, otherwise).split(",", -1));
    }
}
