package dev.headgate.benchmarks.versus;

/** An engine that takes part, and its jobs. */
record Entry(Entrant who, Load load) {
    String title() {
        return load == Load.PLAIN ? who.title() : who.title() + ": " + load.words();
    }

    Contender open(String url) throws Exception {
        return who.open(url, load);
    }
}
