package dev.headgate.benchmarks.provider;

/**
 * One case to measure.
 *
 * @param isSpaced whether calls are spread evenly instead of by the provider's own figures
 * @param isCold whether the jobs wait already when the processes start
 * @param isBusy whether two busy loops run beside
 * @param margin what is added to Headgate's limit, such as {@code margin end}; empty for the default
 */
record Cell(
        Approach approach,
        boolean isSpaced,
        Allowance allowance,
        int processes,
        boolean isCold,
        boolean isBusy,
        String margin) {
    /** The text of Headgate's gate. */
    String limit() {
        return (allowance.gate(isSpaced) + " " + margin).strip();
    }

    /** The form of the limit. */
    String form() {
        return isSpaced ? "spaced" : "copied";
    }

    String start() {
        return isCold ? "cold" : "warm";
    }

    String machine() {
        return isBusy ? "busy" : "quiet";
    }

    /** All of it but the contender: the row of a picture. */
    String conditions() {
        return "%s %s, %d %s, %s, %s"
                .formatted(
                        allowance.kind().id(),
                        allowance.figures(),
                        processes,
                        processes == 1 ? "process" : "processes",
                        start(),
                        machine());
    }

    /** What a process of this cell is told, and how it reads that again. */
    String[] words() {
        return new String[] {
            approach.id(),
            form(),
            allowance.kind().id(),
            allowance.figures(),
            Integer.toString(processes),
            start(),
            machine(),
            margin
        };
    }

    static Cell of(String... words) {
        return new Cell(
                Approach.of(words[0]),
                words[1].equals("spaced"),
                Allowance.of(Allowance.Kind.of(words[2]), words[3]),
                Integer.parseInt(words[4]),
                words[5].equals("cold"),
                words[6].equals("busy"),
                words[7]);
    }
}
