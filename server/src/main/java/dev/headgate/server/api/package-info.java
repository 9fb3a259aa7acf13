/** The routes of the API, one class for each kind of thing. */
@NullMarked
package dev.headgate.server.api;

import org.jspecify.annotations.NullMarked;
