/**
 * Figures over time: counted in the memory of each process, stored with what it writes anyway, merged, thinned out and read.
 * Start with {@link dev.headgate.internal.figure.FigureRecorder}.
 */
@NullMarked
package dev.headgate.internal.figure;

import org.jspecify.annotations.NullMarked;
