/**
 * Words, tables and JSON for a terminal or a pipe.
 * Start with {@link dev.headgate.cli.display.Table} and {@link dev.headgate.cli.display.JsonWriter}.
 * Knows nothing of stores.
 */
@NullMarked
package dev.headgate.cli.display;

import org.jspecify.annotations.NullMarked;
