package dev.headgate.cli.client;

/** What a client did wrong. */
final class ClientFault extends RuntimeException {
    private static final long serialVersionUID = 1;

    ClientFault(String found) {
        super(found, null, false, false);
    }

    String found() {
        return String.valueOf(getMessage());
    }
}
