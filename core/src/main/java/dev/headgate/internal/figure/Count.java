package dev.headgate.internal.figure;

/** What is counted of a subject, each with its letter in the stored text. */
enum Count {
    ENQUEUED('e', 0),
    STARTED('s', 1),
    UNITS('u', 2),
    SUCCEEDED('k', 3),
    FAILED('f', 4),
    RETRIED('r', 5),
    CANCELLED('c', 6),
    LOST('l', 7),
    HANDED_BACK('b', 8);

    private static final Count[] ALL = values();

    final char letter;

    /** Where it stands in a cell. */
    final int place;

    Count(char letter, int place) {
        this.letter = letter;
        this.place = place;
    }

    static Count of(char letter) {
        for (Count count : ALL) {
            if (count.letter == letter) {
                return count;
            }
        }
        throw new IllegalArgumentException("figures: expected the letter of a count, got '%c'".formatted(letter));
    }
}
