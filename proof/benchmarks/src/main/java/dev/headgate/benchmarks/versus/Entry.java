package dev.headgate.benchmarks.versus;

/** Who takes part, and with what jobs. */
record Entry(Entrant who, Load load) {
    String title() {
        return load == Load.PLAIN ? who.title() : who.title() + ": " + load.words();
    }

    Contender open(String url) throws Exception {
        return who.open(url, load);
    }
}
