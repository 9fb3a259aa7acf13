/**
 * Words and tables for a terminal or a pipe.
 * Start with {@link dev.headgate.cli.display.Table}.
 * Knows nothing of stores.
 */
@NullMarked
package dev.headgate.cli.display;

import org.jspecify.annotations.NullMarked;
