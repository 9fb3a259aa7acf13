/** Requests, responses and problems, whatever HTTP server carries them. */
@NullMarked
package dev.headgate.server.http;

import org.jspecify.annotations.NullMarked;
