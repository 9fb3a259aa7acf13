package dev.headgate.cli.display;

import java.util.ArrayList;
import java.util.List;

/** How many terminal columns text takes, so that tables with emoji or Chinese names stay aligned. */
public final class Columns {
    /** First and last code point of each range that terminals draw two columns wide. */
    private static final int[][] WIDE = {
        {0x1100, 0x115F},
        {0x231A, 0x231B},
        {0x23E9, 0x23EC},
        {0x25FD, 0x25FE},
        {0x2614, 0x2615},
        {0x2648, 0x2653},
        {0x26A1, 0x26A1},
        {0x26BD, 0x26BE},
        {0x26C4, 0x26C5},
        {0x26D4, 0x26D4},
        {0x26EA, 0x26EA},
        {0x26F2, 0x26F3},
        {0x26FD, 0x26FD},
        {0x2705, 0x2705},
        {0x270A, 0x270B},
        {0x2728, 0x2728},
        {0x274C, 0x274C},
        {0x2753, 0x2755},
        {0x2757, 0x2757},
        {0x2795, 0x2797},
        {0x27B0, 0x27B0},
        {0x2B1B, 0x2B1C},
        {0x2B50, 0x2B50},
        {0x2E80, 0x303E},
        {0x3041, 0x33FF},
        {0x3400, 0x4DBF},
        {0x4E00, 0x9FFF},
        {0xA000, 0xA4CF},
        {0xAC00, 0xD7A3},
        {0xF900, 0xFAFF},
        {0xFE30, 0xFE6F},
        {0xFF00, 0xFF60},
        {0xFFE0, 0xFFE6},
        {0x1F004, 0x1F004},
        {0x1F18E, 0x1F18E},
        {0x1F191, 0x1F19A},
        {0x1F300, 0x1F64F},
        {0x1F680, 0x1F6FF},
        {0x1F7E0, 0x1F7EB},
        {0x1F900, 0x1FAFF},
        {0x20000, 0x3FFFD},
    };

    private Columns() {}

    public static int of(String text) {
        return text.codePoints().map(Columns::of).sum();
    }

    private static int of(int codePoint) {
        int type = Character.getType(codePoint);
        if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK) {
            return 0;
        }
        for (int[] range : WIDE) {
            if (codePoint < range[0]) {
                return 1;
            }
            if (codePoint <= range[1]) {
                return 2;
            }
        }
        return 1;
    }

    /** Cuts text to so many columns and marks the cut; shorter text is left alone. */
    public static String cut(String text, int columns) {
        if (of(text) <= columns) {
            return text;
        }
        StringBuilder kept = new StringBuilder();
        int room = columns - 1;
        for (int codePoint : text.codePoints().toArray()) {
            room -= of(codePoint);
            if (room < 0) {
                break;
            }
            kept.appendCodePoint(codePoint);
        }
        return kept.append('…').toString();
    }

    /** Breaks text between words into lines of at most so many columns; a longer word gets a line of its own. */
    public static List<String> wrap(String text, int columns) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ", -1)) {
            if (!line.isEmpty() && of(line.toString()) + 1 + of(word) > columns) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    /** The same with no line longer: a word that does not fit is broken too. */
    public static List<String> fill(String text, int columns) {
        List<String> lines = new ArrayList<>();
        for (String line : wrap(text, columns)) {
            StringBuilder part = new StringBuilder();
            int room = columns;
            for (int codePoint : line.codePoints().toArray()) {
                if (of(codePoint) > room) {
                    lines.add(part.toString());
                    part.setLength(0);
                    room = columns;
                }
                part.appendCodePoint(codePoint);
                room -= of(codePoint);
            }
            lines.add(part.toString());
        }
        return lines;
    }

    /** Fills up with spaces on the right. */
    public static String left(String text, int columns) {
        return text + " ".repeat(Math.max(0, columns - of(text)));
    }

    /** Fills up with spaces on the left, for figures. */
    public static String right(String text, int columns) {
        return " ".repeat(Math.max(0, columns - of(text))) + text;
    }
}
