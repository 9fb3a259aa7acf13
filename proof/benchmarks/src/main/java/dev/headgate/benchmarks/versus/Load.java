package dev.headgate.benchmarks.versus;

/** What jobs must pass before they start. No limit is ever met: what is measured is the price of asking. */
enum Load {
    /** No limit of their own. */
    PLAIN(""),

    /** All pass one rate and one budget, and each the concurrency of 3 of one of 10,000 keys. */
    LIMITED("rate, budget and 10,000 keys of 3"),

    /** All pass the same rate. */
    HOT_RATE("a rate for all"),

    /** Each passes the rate of one of 10,000 keys. */
    KEYED_RATE("a rate for each of 10,000 keys");

    static final int KEYS = 10_000;

    private final String words;

    Load(String words) {
        this.words = words;
    }

    String words() {
        return words;
    }
}
