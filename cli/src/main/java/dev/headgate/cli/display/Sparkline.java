package dev.headgate.cli.display;

import java.util.Collections;
import java.util.List;

/** Numbers as small bars. */
public final class Sparkline {
    private static final String HEIGHTS = "▁▂▃▄▅▆▇█";
    private static final int BARS_MAX = 60;
    private static final int LENGTH = 20;

    private Sparkline() {}

    /** One bar for each number, as high as it is beside the greatest; of more than 60 the last. A dot is nothing at all. */
    public static String of(List<Long> numbers) {
        List<Long> shown = numbers.subList(Math.max(0, numbers.size() - BARS_MAX), numbers.size());
        long most = shown.isEmpty() ? 0 : Collections.max(shown);
        StringBuilder bars = new StringBuilder();
        for (long number : shown) {
            bars.append(number == 0 ? '·' : HEIGHTS.charAt((int) ((number * HEIGHTS.length() - 1) / most)));
        }
        return bars.toString();
    }

    /** One bar that lies, as long as the number is beside the greatest. */
    public static String bar(long number, long most) {
        return number <= 0 || most <= 0 ? "" : "█".repeat((int) Math.max(1, number * LENGTH / most));
    }
}
