package dev.headgate.jdbc;

import java.util.Collection;

/** A parameter that stands for a list; the dialect knows how to bind it. */
public record Listed(Collection<?> values, boolean isText) {}
