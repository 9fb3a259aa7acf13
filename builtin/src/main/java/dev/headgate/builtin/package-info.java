/**
 * Job types for use without writing Java: an HTTP call, a command.
 * Start with {@link dev.headgate.builtin.HttpCalls} and {@link dev.headgate.builtin.ShellRuns}.
 * Knows handlers and payloads; nothing of stores and command lines.
 */
@NullMarked
package dev.headgate.builtin;

import org.jspecify.annotations.NullMarked;
