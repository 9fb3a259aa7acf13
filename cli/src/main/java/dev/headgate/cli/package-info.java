/**
 * The {@code headgate} command, one class per subcommand.
 * The only place, with the starter, that picks a store from a URL.
 */
@NullMarked
package dev.headgate.cli;

import org.jspecify.annotations.NullMarked;
