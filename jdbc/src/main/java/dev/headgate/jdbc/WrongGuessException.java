package dev.headgate.jdbc;

/** What a transaction went by without a lock is no longer what is stored; nothing of it may be committed. */
public final class WrongGuessException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public WrongGuessException(String what) {
        super("%s: the stored one is no longer what this transaction went by".formatted(what));
    }
}
