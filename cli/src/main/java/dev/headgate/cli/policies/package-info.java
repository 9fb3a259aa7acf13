/**
 * The {@code policy} command: policies as a file, their history, and what a file would change.
 * Start with {@link dev.headgate.cli.policies.PolicyCommand}.
 * Reads YAML; decides nothing about limits.
 */
@NullMarked
package dev.headgate.cli.policies;

import org.jspecify.annotations.NullMarked;
