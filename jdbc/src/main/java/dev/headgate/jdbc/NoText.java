package dev.headgate.jdbc;

/** A missing text in a row. */
public enum NoText {
    NO_TEXT
}
