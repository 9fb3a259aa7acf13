package dev.headgate.builtin;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of an {@code http} job.
 *
 * @param headers those that were asked for and the usual few, by their names in lower case
 * @param body the beginning of the answer, if it is text
 * @param bodyBase64 the beginning of the answer, if it is not
 * @param cut whether there was more, which was not read
 */
public record HttpAnswer(
        int status,
        Map<String, String> headers,
        @Nullable String body,
        @Nullable String bodyBase64,
        boolean cut) {}
