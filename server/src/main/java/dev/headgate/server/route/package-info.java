/** Which request is answered by what, and what it needs. */
@NullMarked
package dev.headgate.server.route;

import org.jspecify.annotations.NullMarked;
