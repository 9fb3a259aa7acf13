/**
 * Jobs that wait for jobs, and caps on how many may wait.
 * Start with {@link dev.headgate.internal.dependency.Dependents}.
 */
@NullMarked
package dev.headgate.internal.dependency;

import org.jspecify.annotations.NullMarked;
