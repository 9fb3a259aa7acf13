/**
 * Payloads and results as JSON: the only package that knows the JSON library.
 * Start with {@link dev.headgate.internal.json.JsonCodec}.
 */
@NullMarked
package dev.headgate.internal.json;

import org.jspecify.annotations.NullMarked;
