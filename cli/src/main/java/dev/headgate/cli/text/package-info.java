/**
 * Words, tables and JSON for a terminal or a pipe.
 * Start with {@link dev.headgate.cli.text.Table} and {@link dev.headgate.cli.text.Json}.
 * Knows nothing of stores.
 */
@NullMarked
package dev.headgate.cli.text;

import org.jspecify.annotations.NullMarked;
