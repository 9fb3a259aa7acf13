package dev.headgate.benchmarks.versus;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Standings for people, as a table and a picture, and for programs, as comma-separated values. */
final class Report {
    private final Standings standings;
    private final List<Figure> headlines;
    private final List<Figure> costs;

    Report(Standings standings) {
        this.standings = standings;
        this.headlines = standings.figures().stream().filter(Figure::isHeadline).toList();
        this.costs = standings.figures().stream()
                .filter(figure -> !figure.isHeadline())
                .toList();
    }

    /** A table for each headline; the first one also has what it cost. */
    String table() {
        StringBuilder text = new StringBuilder();
        for (Figure headline : headlines) {
            text.append("%n%s: %s%n".formatted(standings.title(), headline.unit()));
            align(text, rows(headline, headline == headlines.getFirst() ? costs : List.of()));
        }
        for (Entry entry : standings.entries()) {
            standings.failure(entry).ifPresent(why -> text.append("%s: %s%n".formatted(entry.title(), why)));
        }
        return text.toString();
    }

    private List<List<String>> rows(Figure headline, List<Figure> costsBeside) {
        List<String> heads = new ArrayList<>(List.of("", "median", "min", "max", "of the first", "rounds"));
        costsBeside.forEach(cost -> heads.add(cost.unit()));
        List<List<String>> rows = new ArrayList<>(List.of(heads));
        Spread first = standings.spread(standings.entries().getFirst(), headline);
        for (Entry entry : standings.entries()) {
            Spread spread = standings.spread(entry, headline);
            List<String> row = new ArrayList<>(List.of(entry.title()));
            if (spread == null) {
                row.add(standings.failure(entry).isPresent() ? "failed" : "not run");
            } else {
                row.add(Figure.text(spread.median()));
                row.add(Figure.text(spread.min()));
                row.add(Figure.text(spread.max()));
                row.add(first == null ? "" : Figure.text(spread.median() / first.median()));
                row.add(Integer.toString(standings.outcomes(entry).size()));
                for (Figure cost : costsBeside) {
                    Spread spent = standings.spread(entry, cost);
                    row.add(spent == null ? "" : Figure.text(spent.median()));
                }
            }
            rows.add(row);
        }
        return rows;
    }

    private static void align(StringBuilder text, List<List<String>> rows) {
        for (List<String> row : rows) {
            for (int column = 0; column < row.size(); column++) {
                int place = column;
                int width = rows.stream()
                        .filter(other -> other.size() > place)
                        .mapToInt(other -> other.get(place).length())
                        .max()
                        .orElse(0);
                text.append((column == 0 ? "  %-" + width + "s" : "  %" + width + "s").formatted(row.get(column)));
            }
            text.append("%n".formatted());
        }
    }

    /** A line for each figure of each round, so that anything can be reckoned from it. */
    String csv() {
        StringBuilder text = new StringBuilder("contest,contender,setting,round,figure,unit,value\n");
        for (Entry entry : standings.entries()) {
            int round = 0;
            for (Outcome outcome : standings.outcomes(entry)) {
                round++;
                String start = "%s,%s,%s,%d,"
                        .formatted(
                                standings.title(),
                                quoted(entry.title()),
                                quoted(entry.who().setting()),
                                round);
                if (outcome.failure() != null) {
                    text.append(start)
                            .append("FAILED,,")
                            .append(quoted(outcome.failure()))
                            .append('\n');
                }
                for (Map.Entry<Figure, Double> found : outcome.figures().entrySet()) {
                    text.append(start)
                            .append(String.format(
                                    Locale.ROOT,
                                    "%s,%s,%.6f%n",
                                    found.getKey(),
                                    quoted(found.getKey().unit()),
                                    found.getValue()));
                }
            }
        }
        return text.toString();
    }

    private static String quoted(String text) {
        return '"' + text.replace("\"", "\"\"") + '"';
    }

    /** Writes the values and the picture, and answers where they are. */
    List<Path> write(Path folder) throws IOException {
        Files.createDirectories(folder);
        Bars bars = new Bars(standings.title());
        for (Figure headline : headlines) {
            bars.panel(headline.unit());
            for (Entry entry : standings.entries()) {
                Spread spread = standings.spread(entry, headline);
                if (spread != null) {
                    bars.bar(entry.title(), spread);
                }
            }
        }
        return List.of(
                Files.writeString(folder.resolve(standings.title() + ".csv"), csv()),
                Files.writeString(folder.resolve(standings.title() + ".svg"), bars.svg()));
    }
}
