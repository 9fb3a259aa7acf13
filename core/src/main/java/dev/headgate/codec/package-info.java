/**
 * Payloads and results as JSON text.
 * Start with {@link dev.headgate.codec.JsonCodec}.
 * The only package that knows Jackson; never follows a class name that it reads.
 */
@NullMarked
package dev.headgate.codec;

import org.jspecify.annotations.NullMarked;
