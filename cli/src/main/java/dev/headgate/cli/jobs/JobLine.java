package dev.headgate.cli.jobs;

import dev.headgate.JobOptions;
import dev.headgate.JsonJob;
import dev.headgate.cli.TimeOption;
import dev.headgate.handler.RetryPolicy;
import dev.headgate.internal.text.NearestName;
import dev.headgate.job.Cost;
import dev.headgate.job.JobId;
import dev.headgate.job.Unmet;
import dev.headgate.limit.Spans;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads one line of a file of jobs: {@code {"type":"http","payload":{…},"queue":"mail","gates":["api"],"cost":5}}. The
 * fields are the options of {@code headgate enqueue}; the command line gives the values that a line leaves out.
 */
public final class JobLine {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private static final Map<String, BiConsumer<JobOptions, Field>> OPTIONS = options();

    private final @Nullable String type;
    private final Consumer<JobOptions> defaults;

    /** The value of a field, and messages for a wrong one. */
    private record Field(String name, JsonNode value) {
        String text() {
            if (!value.isString()) {
                throw wrong("text");
            }
            return value.asString();
        }

        long number() {
            if (!value.isIntegralNumber() || !value.canConvertToLong()) {
                throw wrong("a whole number");
            }
            return value.asLong();
        }

        int smallNumber() {
            long number = number();
            if (number != (int) number) {
                throw wrong("a smaller number");
            }
            return (int) number;
        }

        boolean flag() {
            if (!value.isBoolean()) {
                throw wrong("true or false");
            }
            return value.asBoolean();
        }

        List<String> texts() {
            if (!value.isArray()) {
                throw wrong("a list of names");
            }
            List<String> texts = new ArrayList<>();
            value.forEach(one -> texts.add(new Field(name, one).text()));
            return texts;
        }

        Map<String, String> pairs() {
            if (!value.isObject()) {
                throw wrong("an object of texts");
            }
            Map<String, String> pairs = new LinkedHashMap<>();
            value.forEachEntry((key, one) -> pairs.put(key, new Field(name, one).text()));
            return pairs;
        }

        JobId[] jobs() {
            if (!value.isArray()) {
                throw wrong("a list of job numbers");
            }
            List<JobId> jobs = new ArrayList<>();
            value.forEach(one -> jobs.add(JobId.of(new Field(name, one).number())));
            return jobs.toArray(JobId[]::new);
        }

        private IllegalArgumentException wrong(String expected) {
            return new IllegalArgumentException("field '%s': expected %s, got %s"
                    .formatted(name, expected, value.getNodeType().name().toLowerCase(Locale.ROOT)));
        }
    }

    /**
     * A reader of lines.
     *
     * @param type the job type of lines that name none
     * @param defaults options that lines may override
     */
    JobLine(@Nullable String type, Consumer<JobOptions> defaults) {
        this.type = type;
        this.defaults = defaults;
    }

    /** @throws IllegalArgumentException that says what is wrong with the line */
    JsonJob read(String text) {
        return read(tree(text));
    }

    private JsonJob read(JsonNode line) {
        if (!line.isObject()) {
            throw new IllegalArgumentException(
                    "expected a JSON object such as {\"type\":\"echo\",\"payload\":{}}, got %s"
                            .formatted(line.getNodeType().name().toLowerCase(Locale.ROOT)));
        }
        for (String name : line.propertyNames()) {
            if (!OPTIONS.containsKey(name)) {
                throw new IllegalArgumentException(
                        "unknown field '%s'%s".formatted(name, NearestName.hint(name, OPTIONS.keySet())));
            }
        }
        JsonNode named = line.get("type");
        if (named == null && type == null) {
            throw new IllegalArgumentException(
                    "field 'type': expected the job type, got none; add it, or name one for all lines before --from");
        }
        JsonNode payload = line.get("payload");
        return new JsonJob(
                named == null ? String.valueOf(type) : new Field("type", named).text(),
                payload == null ? "{}" : MAPPER.writeValueAsString(payload),
                options -> apply(line, options));
    }

    private static JsonNode tree(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JacksonException notJson) {
            throw new IllegalArgumentException(
                    "expected a JSON object, got something else: " + notJson.getOriginalMessage(), notJson);
        }
    }

    private void apply(JsonNode line, JobOptions job) {
        defaults.accept(job);
        line.properties().forEach(field -> {
            BiConsumer<JobOptions, Field> option = OPTIONS.get(field.getKey());
            if (option != null && !field.getValue().isNull()) {
                option.accept(job, new Field(field.getKey(), field.getValue()));
            }
        });
        applyDedup(line, job);
        applyNeeds(line, job);
    }

    private static void applyDedup(JsonNode line, JobOptions job) {
        JsonNode key = line.get("dedup");
        JsonNode span = line.get("dedupFor");
        JsonNode said = line.get("dedupContent");
        boolean isByContent = said != null && new Field("dedupContent", said).flag();
        if (isByContent && key != null) {
            throw new IllegalArgumentException("field 'dedupContent': expected no 'dedup' beside it, got one");
        }
        if (span == null) {
            if (isByContent) {
                job.dedupByContent();
            }
            return;
        }
        Duration lasts = Spans.parse(new Field("dedupFor", span).text());
        if (isByContent) {
            job.dedupByContent(lasts);
        } else if (key != null) {
            job.dedup(new Field("dedup", key).text(), lasts);
        } else {
            throw new IllegalArgumentException(
                    "field 'dedupFor': expected 'dedup' or 'dedupContent' beside it, got neither");
        }
    }

    /** A child is an object inside the line; options of the command line apply to the outermost job only. */
    private static void applyNeeds(JsonNode line, JobOptions job) {
        JsonNode said = line.get("unmet");
        Unmet unmet = said == null ? Unmet.FAIL : unmet(new Field("unmet", said).text());
        JsonNode after = line.get("after");
        if (after != null) {
            job.after(unmet, new Field("after", after).jobs());
        }
        JsonNode children = line.get("children");
        if (children != null && !children.isArray()) {
            throw new Field("children", children).wrong("a list of jobs");
        }
        if (children != null) {
            JobLine nested = new JobLine(null, options -> {});
            children.forEach(child -> job.child(unmet, nested.read(child)));
        }
    }

    /** Reads fail, ignore or remove. */
    public static Unmet unmet(String text) {
        for (Unmet unmet : Unmet.values()) {
            if (unmet.name().equalsIgnoreCase(text.strip())) {
                return unmet;
            }
        }
        throw new IllegalArgumentException("unmet: expected fail, ignore or remove, got '%s'".formatted(text));
    }

    private static Map<String, BiConsumer<JobOptions, Field>> options() {
        Map<String, BiConsumer<JobOptions, Field>> options = new LinkedHashMap<>();
        options.put("type", (job, field) -> {});
        options.put("payload", (job, field) -> {});
        options.put("queue", (job, field) -> job.queue(field.text()));
        options.put("gate", (job, field) -> job.gate(field.text()));
        options.put("gates", (job, field) -> job.gates(field.texts()));
        options.put("cost", (job, field) -> cost(job, field));
        options.put("delay", (job, field) -> job.delay(Spans.parse(field.text())));
        options.put("at", (job, field) -> at(job, TimeOption.parse(field.text())));
        options.put("priority", (job, field) -> job.priority(field.smallNumber()));
        options.put("front", (job, field) -> {
            if (field.flag()) {
                job.front();
            }
        });
        options.put("keepPlace", (job, field) -> {
            if (field.flag()) {
                job.keepPlace();
            }
        });
        options.put("dedup", (job, field) -> job.dedup(field.text()));
        options.put("dedupFor", (job, field) -> {});
        options.put("dedupContent", (job, field) -> {});
        options.put("timeout", (job, field) -> job.timeout(Spans.parse(field.text())));
        options.put(
                "deadline",
                (job, field) -> job.deadline(TimeOption.parse(field.text()).from(Instant.now())));
        options.put("attempts", (job, field) -> job.attempts(field.smallNumber()));
        options.put("labels", (job, field) -> job.labels(field.pairs()));
        options.put("headers", (job, field) -> job.headers(field.pairs()));
        options.put("after", (job, field) -> {});
        options.put("afterEnd", (job, field) -> job.afterEnd(field.jobs()));
        options.put("unmet", (job, field) -> {});
        options.put("children", (job, field) -> {});
        options.put("retry", (job, field) -> job.retry(RetryPolicy.parse(field.text())));
        return options;
    }

    /** A number, or text such as {@code 1 openai=1500}. */
    private static void cost(JobOptions job, Field field) {
        if (field.value().isString()) {
            job.cost(Cost.parse(field.text()));
        } else {
            job.cost(field.number());
        }
    }

    private static void at(JobOptions job, TimeOption moment) {
        switch (moment) {
            case TimeOption.In(Duration span) -> job.delay(span);
            case TimeOption.At(Instant instant) -> job.at(instant);
        }
    }
}
