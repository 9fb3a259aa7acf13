/**
 * Why a job waits, and until when.
 * Start with {@link dev.headgate.explain.Explanation}.
 */
@NullMarked
package dev.headgate.explain;

import org.jspecify.annotations.NullMarked;
