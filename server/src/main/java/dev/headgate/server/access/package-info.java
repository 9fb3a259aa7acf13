/** Who may ask: hosts, origins, tokens. */
@NullMarked
package dev.headgate.server.access;

import org.jspecify.annotations.NullMarked;
