package dev.headgate.store;

/** A transaction that belongs to the caller; each kind of store has its own, such as a JDBC connection. */
public interface CallerTransaction {}
