/**
 * Serving the HTTP API, and the tokens that it asks for. Start with
 * {@link dev.headgate.cli.server.ServeCommand}.
 */
@NullMarked
package dev.headgate.cli.server;

import org.jspecify.annotations.NullMarked;
