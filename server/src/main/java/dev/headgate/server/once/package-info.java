/**
 * Requests that are done once however often they are sent: idempotency keys. Start with
 * {@link dev.headgate.server.once.OnceEnqueue}.
 */
@NullMarked
package dev.headgate.server.once;

import org.jspecify.annotations.NullMarked;
