/**
 * {@code headgate top}: the store seen live.
 * Start with {@link dev.headgate.cli.top.TopCommand}.
 * Of a terminal only {@link dev.headgate.cli.top.RawTerminal} knows.
 */
@NullMarked
package dev.headgate.cli.top;

import org.jspecify.annotations.NullMarked;
