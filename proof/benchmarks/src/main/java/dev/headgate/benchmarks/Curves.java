package dev.headgate.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Figures over a size that grows, as comma-separated values and as a picture whose axes are both logarithmic. */
final class Curves {
    private static final int WIDTH = 640;
    private static final int HEIGHT = 360;
    private static final int LEFT = 70;
    private static final int TOP = 40;
    private static final int RIGHT = 150;
    private static final int BOTTOM = 50;
    private static final List<String> COLOURS =
            List.of("#1b6ca8", "#c0392b", "#2e8b57", "#8e44ad", "#d68910", "#555555");

    private final String title;
    private final String across;
    private final String up;
    private final Map<String, List<Point>> curves = new LinkedHashMap<>();

    private record Point(long x, double y) {}

    /**
     * @param across what grows
     * @param up what is measured, with its unit
     */
    Curves(String title, String across, String up) {
        this.title = title;
        this.across = across;
        this.up = up;
    }

    void add(String curve, long x, double y) {
        curves.computeIfAbsent(curve, name -> new ArrayList<>()).add(new Point(x, y));
        System.out.printf(Locale.ROOT, "%s, %s: %s %,d: %,.1f %s%n", title, curve, across, x, y, up);
    }

    boolean isEmpty() {
        return curves.isEmpty();
    }

    String csv() {
        StringBuilder text = new StringBuilder("curve,%s,%s\n".formatted(across, up));
        curves.forEach((name, points) -> points.forEach(
                point -> text.append(String.format(Locale.ROOT, "%s,%d,%.3f%n", name, point.x, point.y))));
        return text.toString();
    }

    String svg() {
        double xMin = extreme(false, true);
        double xMax = extreme(true, true);
        double yMin = extreme(false, false) / 2;
        double yMax = extreme(true, false) * 2;
        StringBuilder text = new StringBuilder(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">%n"
                        .formatted(WIDTH, HEIGHT));
        text.append("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
        label(text, WIDTH / 2.0, 20, "middle", title + ": " + up);
        label(text, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 10, "middle", across);
        for (double y = Math.pow(10, Math.ceil(Math.log10(yMin))); y <= yMax; y *= 10) {
            double at = place(y, yMin, yMax, HEIGHT - BOTTOM, TOP);
            line(text, LEFT, at, WIDTH - RIGHT, at, "#dddddd", 1);
            label(text, LEFT - 6, at + 4, "end", number(y));
        }
        int number = 0;
        for (Map.Entry<String, List<Point>> curve : curves.entrySet()) {
            String colour = COLOURS.get(number % COLOURS.size());
            Point last = null;
            for (Point point : curve.getValue()) {
                double x = place(size(point.x), xMin, xMax, LEFT, WIDTH - RIGHT);
                double y = place(point.y, yMin, yMax, HEIGHT - BOTTOM, TOP);
                text.append(String.format(
                        Locale.ROOT, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>%n", x, y, colour));
                if (last != null) {
                    double fromX = place(size(last.x), xMin, xMax, LEFT, WIDTH - RIGHT);
                    double fromY = place(last.y, yMin, yMax, HEIGHT - BOTTOM, TOP);
                    line(text, fromX, fromY, x, y, colour, 2);
                }
                if (number == 0) {
                    label(text, x, HEIGHT - BOTTOM + 18, "middle", number((double) point.x));
                }
                last = point;
            }
            label(text, WIDTH - RIGHT + 12, TOP + 16 + 18 * number, "start", colour, curve.getKey());
            number++;
        }
        return text.append("</svg>\n").toString();
    }

    /** Writes both beside each other. */
    void write(Path folder, String name) {
        try {
            Files.createDirectories(folder);
            System.out.println("written: " + Files.writeString(folder.resolve(name + ".csv"), csv()));
            System.out.println("written: " + Files.writeString(folder.resolve(name + ".svg"), svg()));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private double extreme(boolean isMost, boolean isAcross) {
        var values = curves.values().stream()
                .flatMap(List::stream)
                .mapToDouble(point -> isAcross ? size(point.x) : Math.max(point.y, 1e-3));
        return (isMost ? values.max() : values.min()).orElse(1);
    }

    /** Nothing at all stands where one would. */
    private static double size(long x) {
        return (double) Math.max(1, x);
    }

    private static double place(double value, double least, double most, double from, double to) {
        double span = Math.log(most) - Math.log(least);
        return span == 0
                ? (from + to) / 2
                : from + (to - from) * (Math.log(Math.max(value, least)) - Math.log(least)) / span;
    }

    private static String number(double value) {
        if (value >= 1_000_000) {
            return "%.0fM".formatted(value / 1e6);
        }
        return value >= 1_000
                ? "%.0fk".formatted(value / 1e3)
                : String.format(Locale.ROOT, "%.4g", value).replaceAll("\\.?0+$", "");
    }

    private static void line(StringBuilder text, double x1, double y1, double x2, double y2, String colour, int width) {
        text.append(String.format(
                Locale.ROOT,
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"%d\"/>%n",
                x1,
                y1,
                x2,
                y2,
                colour,
                width));
    }

    private static void label(StringBuilder text, double x, double y, String anchor, String words) {
        label(text, x, y, anchor, "#222222", words);
    }

    private static void label(StringBuilder text, double x, double y, String anchor, String colour, String words) {
        text.append(String.format(
                Locale.ROOT,
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">%s</text>%n",
                x,
                y,
                anchor,
                colour,
                words.replace("&", "&amp;").replace("<", "&lt;")));
    }
}
