package dev.headgate.internal.text;

/**
 * The one rule for names of queues, gates, job types, workers and dedup keys: any text of 1 to 200 characters, taken
 * as it is. Quotes, stars and emoji are ordinary characters. Only what no store can keep faithfully is refused.
 */
public final class Names {
    public static final int LENGTH_MAX = 200;

    private Names() {}

    /** Returns the name unchanged, or says what is wrong with it. */
    public static String check(String what, String name) {
        return isOrdinary(name) ? name : checkEach(what, name);
    }

    /** The same for a queue into which jobs go. Those of earlier versions may have stars in their names, so reading allows them. */
    public static String checkQueueOfJob(String name) {
        check("queue", name);
        if (name.indexOf('*') >= 0) {
            throw new IllegalArgumentException(
                    "queue: expected a name without '*', got '%s'; a star stands for many queues where workers and policies name them, and a job goes into one"
                            .formatted(Text.visible(name)));
        }
        return name;
    }

    /** The same for what names one queue, or with a star at its end all that begin so. A star elsewhere would stand for nothing. */
    public static String checkQueuePattern(String name) {
        check("queue", name);
        int star = name.indexOf('*');
        if (star >= 0 && star < name.length() - 1) {
            throw new IllegalArgumentException(
                    "queue: expected a star only at the end, where it stands for all queues that begin so, got '%s'; say '%s'"
                            .formatted(Text.visible(name), Text.visible(name.substring(0, star + 1))));
        }
        return name;
    }

    /** Most names are; a claim reads thousands. */
    private static boolean isOrdinary(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c <= ' ' || c > '~') {
                return false;
            }
        }
        return !name.isEmpty() && name.length() <= LENGTH_MAX;
    }

    /** Whether it has no half of a surrogate pair, which no store can keep. */
    public static boolean isWellFormed(String text) {
        return !Text.hasLoneSurrogate(text);
    }

    private static String checkEach(String what, String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException(
                    "%s: expected a name of 1 to %d characters, got an empty one".formatted(what, LENGTH_MAX));
        }
        if (name.length() > LENGTH_MAX) {
            throw new IllegalArgumentException("%s: expected a name of at most %d characters, got %d: '%s…'"
                    .formatted(what, LENGTH_MAX, name.length(), Text.visible(name.substring(0, 40))));
        }
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (Character.isISOControl(c)) {
                throw new IllegalArgumentException(
                        "%s: expected no control characters, got U+%04X at position %d in '%s'"
                                .formatted(what, (int) c, i, Text.visible(name)));
            }
        }
        if (Text.hasLoneSurrogate(name)) {
            throw new IllegalArgumentException("%s: expected well-formed Unicode, got half a surrogate pair in '%s'"
                    .formatted(what, Text.visible(name)));
        }
        return name;
    }
}
