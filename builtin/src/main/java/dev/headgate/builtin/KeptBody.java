package dev.headgate.builtin;

import java.nio.ByteBuffer;

/**
 * The beginning of a body.
 *
 * @param isCut whether there was more, which was not read
 */
record KeptBody(ByteBuffer bytes, boolean isCut) {
    static final KeptBody LEFT_OUT = new KeptBody(ByteBuffer.allocate(0), true);
}
