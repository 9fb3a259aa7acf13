/**
 * The answer to "why is this job waiting, and until when?".
 * Start with {@link dev.headgate.explain.Explanation}.
 * Reads what admission decided; decides nothing.
 */
@NullMarked
package dev.headgate.explain;

import org.jspecify.annotations.NullMarked;
