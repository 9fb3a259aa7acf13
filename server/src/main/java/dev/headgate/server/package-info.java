/** The HTTP API. Start with {@link dev.headgate.server.HeadgateServer}. */
@NullMarked
package dev.headgate.server;

import org.jspecify.annotations.NullMarked;
