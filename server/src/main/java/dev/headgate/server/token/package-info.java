/** Access tokens. Start with {@link dev.headgate.server.token.Tokens}. */
@NullMarked
package dev.headgate.server.token;

import org.jspecify.annotations.NullMarked;
