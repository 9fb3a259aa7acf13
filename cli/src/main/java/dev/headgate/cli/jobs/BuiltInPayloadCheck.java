package dev.headgate.cli.jobs;

import dev.headgate.builtin.HttpJob;
import dev.headgate.builtin.ShellJob;
import dev.headgate.cli.workers.BuiltInJobs;
import dev.headgate.internal.json.JsonCodec;
import dev.headgate.internal.text.NearestName;
import dev.headgate.internal.text.Text;
import dev.headgate.job.JobType;
import dev.headgate.job.UnreadableJsonException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Checks the payloads of the built-in types when they are enqueued, because a fault that only a worker finds is found
 * late. Of other types only a worker knows what fits; their payloads need to be JSON and no more.
 */
public final class BuiltInPayloadCheck {
    private static final List<JobType<?>> KNOWN = List.of(HttpJob.TYPE, ShellJob.TYPE);

    /** Of these a worker finds values that do not fit; fields that it would pass over in silence are found here. */
    private static final Map<JobType<?>, String> LENIENT =
            Map.of(BuiltInJobs.SLEEP, "{\"ms\":500}", BuiltInJobs.FAIL, "{\"message\":\"no luck\",\"times\":2}");

    private final JsonCodec codec;

    public BuiltInPayloadCheck(JsonCodec codec) {
        this.codec = codec;
    }

    /**
     * Returns the payload unchanged.
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
        LENIENT.forEach((known, example) -> {
            if (known.name().equals(type)) {
                checkObject(what, json, example);
                checkFields(what, json, known.payload());
                checkSleep(what, json, type, example);
            }
        });
        return json;
    }

    private void checkObject(String what, String json, String example) {
        JsonNode given = codec.read(what, json, JsonNode.class);
        if (!given.isObject()) {
            throw new IllegalArgumentException("%s: expected an object such as %s, got %s"
                    .formatted(what, example, Text.visible(given.toString())));
        }
    }

    private void checkSleep(String what, String json, String type, String example) {
        if (type.equals(BuiltInJobs.SLEEP.name())
                && !codec.read(what, json, JsonNode.class).has("ms")) {
            throw new IllegalArgumentException("%s: expected %s, got no 'ms'".formatted(what, example));
        }
    }

    private void checkFields(String what, String json, Class<?> payload) {
        List<String> fields = Arrays.stream(payload.getRecordComponents())
                .map(RecordComponent::getName)
                .toList();
        for (String name : codec.read(what, json, JsonNode.class).propertyNames()) {
            if (!fields.contains(name)) {
                throw new IllegalArgumentException(
                        "%s: unknown field '%s'%s".formatted(what, name, NearestName.hint(name, fields)));
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
