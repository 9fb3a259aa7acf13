/**
 * The {@code headgate} command, one class per subcommand.
 * Start with {@link dev.headgate.cli.Cli}; {@code Commands} lists what there is.
 * Composes core and the stores, and holds no rule of its own.
 */
@NullMarked
package dev.headgate.cli;

import org.jspecify.annotations.NullMarked;
