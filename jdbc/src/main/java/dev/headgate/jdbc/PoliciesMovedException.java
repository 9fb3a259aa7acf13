package dev.headgate.jdbc;

/** The policies that a transaction went by from memory are no longer the stored ones; nothing of it may be committed. */
public final class PoliciesMovedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PoliciesMovedException() {
        super("the stored policies have another version than those in memory");
    }
}
