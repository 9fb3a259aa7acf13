/**
 * What happened in a store, interval by interval, by queue, job type and gate: {@code headgate.figures()} reads it.
 * Start with {@link dev.headgate.figure.FigureFilter} and {@link dev.headgate.figure.FigureSeries}.
 */
@NullMarked
package dev.headgate.figure;

import org.jspecify.annotations.NullMarked;
