/**
 * The conformance kit for workers in other languages: plays the server to any client and says what the client does wrong. Start with
 * {@link dev.headgate.cli.client.ClientCheckCommand}.
 */
@NullMarked
package dev.headgate.cli.client;

import org.jspecify.annotations.NullMarked;
