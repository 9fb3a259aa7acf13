package dev.headgate.cli.display;

import java.io.Console;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What standard output is: a terminal that can redraw, or a pipe.
 *
 * @param isLive whether lines can be drawn again
 * @param hasColour whether to use colours
 * @param columns its width; a pipe has no limit
 * @param rows how many lines it shows at once
 */
public record Terminal(boolean isLive, boolean hasColour, int columns, int rows) {
    private static final int COLUMNS_DEFAULT = 80;
    private static final int COLUMNS_MIN = 40;
    private static final int ROWS_DEFAULT = 24;
    private static final int ROWS_MIN = 5;

    /** Not a terminal: nothing is cut, nothing is redrawn. */
    public static final Terminal PIPE = new Terminal(false, false, Integer.MAX_VALUE, Integer.MAX_VALUE);

    /**
     * Reads the environment. The launcher knows best and sets {@code HEADGATE_COLUMNS}, which is 0 for a pipe, and
     * {@code HEADGATE_ROWS}. Without the launcher, the JVM's own idea of a console must do.
     */
    public static Terminal of(Map<String, String> environment) {
        Optional<Integer> told = number(environment.get("HEADGATE_COLUMNS"));
        boolean isTerminal = told.isPresent() ? told.get() > 0 : isConsole();
        if (!isTerminal) {
            return PIPE;
        }
        int columns = told.or(() -> number(environment.get("COLUMNS"))).orElse(COLUMNS_DEFAULT);
        String kind = environment.getOrDefault("TERM", "");
        boolean isLive = !kind.isEmpty() && !kind.equals("dumb");
        boolean wantsColour = environment.getOrDefault("NO_COLOR", "").isEmpty();
        int rows = number(environment.get("HEADGATE_ROWS")).orElse(ROWS_DEFAULT);
        return new Terminal(isLive, isLive && wantsColour, Math.max(COLUMNS_MIN, columns), Math.max(ROWS_MIN, rows));
    }

    /** The same for standard error; the launcher sets {@code HEADGATE_ERROR_COLUMNS} for it. */
    public static Terminal ofErrors(Map<String, String> environment) {
        Map<String, String> asked = new HashMap<>(environment);
        String columns = environment.get("HEADGATE_ERROR_COLUMNS");
        if (columns != null) {
            asked.put("HEADGATE_COLUMNS", columns);
        }
        return of(asked);
    }

    private static Optional<Integer> number(@Nullable String text) {
        try {
            return text == null ? Optional.empty() : Optional.of(Integer.parseInt(text.strip()));
        } catch (NumberFormatException notANumber) {
            return Optional.empty();
        }
    }

    /** Since JDK 22 there is a console object even for pipes; it can be asked, but not by code that JDK 21 compiles. */
    @SuppressWarnings("SystemConsoleNull") // JDK 21 does return null
    private static boolean isConsole() {
        Console console = System.console();
        if (console == null) {
            return false;
        }
        try {
            return (Boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException olderThan22) {
            return true;
        } catch (ReflectiveOperationException broken) {
            return false;
        }
    }
}
