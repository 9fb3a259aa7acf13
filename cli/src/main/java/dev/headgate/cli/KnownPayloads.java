package dev.headgate.cli;

import dev.headgate.builtin.HttpJob;
import dev.headgate.builtin.ShellJob;
import dev.headgate.cli.text.Near;
import dev.headgate.codec.JsonCodec;
import dev.headgate.codec.UnreadableJsonException;
import dev.headgate.job.JobType;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Checks the payloads of the built-in types when they are enqueued, because a fault that only a worker finds is found
 * late. Of other types only a worker knows what fits; their payloads need to be JSON and no more.
 */
public final class KnownPayloads {
    private static final List<JobType<?>> KNOWN = List.of(HttpJob.TYPE, ShellJob.TYPE);

    private final JsonCodec codec;

    public KnownPayloads(JsonCodec codec) {
        this.codec = codec;
    }

    /**
     * Answers the payload unchanged.
     *
     * @throws IllegalArgumentException if it is not JSON, or does not fit its type
     */
    public String check(String what, String type, String json) {
        codec.check(what, json);
        for (JobType<?> known : KNOWN) {
            if (known.name().equals(type)) {
                checkFields(what, json, known.payload());
                read(what, json, known.payload());
            }
        }
        return json;
    }

    private void checkFields(String what, String json, Class<?> payload) {
        List<String> fields = Arrays.stream(payload.getRecordComponents())
                .map(RecordComponent::getName)
                .toList();
        for (String name : codec.read(what, json, JsonNode.class).propertyNames()) {
            if (!fields.contains(name)) {
                throw new IllegalArgumentException(
                        "%s: unknown field '%s'%s".formatted(what, name, Near.hint(name, fields)));
            }
        }
    }

    private void read(String what, String json, Class<?> payload) {
        try {
            codec.read(what, json, payload);
        } catch (UnreadableJsonException unfit) {
            throw new IllegalArgumentException("%s: %s".formatted(what, reason(unfit)), unfit);
        }
    }

    /** What the payload itself said is wrong with it is worth more than where the reader stumbled. */
    private static @Nullable String reason(UnreadableJsonException unfit) {
        for (Throwable cause = unfit.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof IllegalArgumentException own) {
                return own.getMessage();
            }
        }
        return unfit.getMessage();
    }
}
