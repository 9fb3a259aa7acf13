/**
 * Workers that run elsewhere and take their jobs over HTTP. Start with
 * {@link dev.headgate.server.work.RemoteWorkers}.
 */
@NullMarked
package dev.headgate.server.work;

import org.jspecify.annotations.NullMarked;
