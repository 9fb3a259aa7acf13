package dev.headgate.chaos;

/** What goes wrong, by kind. */
enum Fault {
    KILL("kill -9 of a worker"),
    STOP("SIGSTOP of a worker for 0.5 to 3 leases"),
    TERM("SIGTERM of a worker under load"),
    CLIENT_KILL("kill -9 of the client"),
    RESTART("crash and restart of the store"),
    FAILOVER("failover to the standby"),
    CUT("all connections reset"),
    DELAY("20 ms on every message, for a second"),
    SILENCE("half of the connections fall silent for ever"),
    LOST_COMMIT("a commit whose answer is lost"),
    POLICY("limits changed"),
    CLOCK("worker with a wrong clock");

    private final String text;

    Fault(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }
}
