package dev.headgate.cli.client;

/**
 * One thing that a client must do.
 *
 * @param expected what it does if it is right
 */
record ClientCheck(String name, String expected, Script script) {
    /** What is played to the client; each play has a server and a process of its own. */
    @FunctionalInterface
    interface Script {
        /**
         * Plays it.
         *
         * @throws ClientFault if the client does something else
         */
        void play(Stage stage) throws InterruptedException;
    }
}
