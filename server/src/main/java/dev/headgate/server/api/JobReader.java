package dev.headgate.server.api;

import dev.headgate.JobOptions;
import dev.headgate.JsonJob;
import dev.headgate.handler.RetryPolicy;
import dev.headgate.job.Cost;
import dev.headgate.job.JobId;
import dev.headgate.job.Unmet;
import dev.headgate.server.http.JsonDocument;
import dev.headgate.server.http.Problem;
import dev.headgate.server.http.ProblemException;
import dev.headgate.server.once.RequestKey;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads a job to be enqueued: {@code {"type":"send","payload":{…},"queue":"mail","gates":["api"],"cost":5}}. */
final class JobReader {
    /** How deep children may nest; each level is read again within the one above. */
    private static final int DEPTH_MAX = 20;

    private static final Map<String, BiConsumer<JobOptions, JsonDocument>> OPTIONS = options();

    /** The fields of a job. */
    static final Set<String> FIELDS = Stream.concat(
                    Stream.of("type", "payload", "children", "unmet", "dedupFor"), OPTIONS.keySet().stream())
            .collect(Collectors.toCollection(TreeSet::new));

    /** Of a line of many, the key by which a repeat of it is known. */
    private static final String KEY = "idempotencyKey";

    private static final Set<String> LINE_FIELDS = with(FIELDS, KEY);

    /** Those of them that can be changed of a job that is enqueued again and again. */
    static final Set<String> EDITED = Stream.concat(Stream.of("payload"), OPTIONS.keySet().stream())
            .collect(Collectors.toCollection(TreeSet::new));

    private JobReader() {}

    private static Set<String> with(Set<String> fields, String more) {
        Set<String> all = new TreeSet<>(fields);
        all.add(more);
        return all;
    }

    /** A job that was read: it, and its children, are of these types and for these queues. */
    record ReadJob(JsonJob job, String queue, String type, List<ReadJob> children) {}

    static ReadJob read(String json) {
        return read(JsonDocument.parse(json, FIELDS), 1);
    }

    /** A job on a line of its own, and its key if it has one. */
    record ReadLine(ReadJob job, @Nullable String key) {}

    static ReadLine readLine(String json) {
        JsonDocument line = JsonDocument.parse(json, LINE_FIELDS);
        String key = line.textOrNull(KEY);
        return new ReadLine(read(line, 1), key == null ? null : RequestKey.field(KEY, key));
    }

    private static ReadJob read(JsonDocument job, int depth) {
        if (depth > DEPTH_MAX) {
            throw new ProblemException(
                    Problem.BAD_FIELD, "field 'children': expected at most %d levels of children".formatted(DEPTH_MAX));
        }
        String type = job.text("type");
        List<ReadJob> children = job.objects("children").stream()
                .map(child -> read(JsonDocument.parse(child, FIELDS), depth + 1))
                .toList();
        Unmet unmet = unmet(job);
        Duration dedupFor = job.spanOrNull("dedupFor");
        boolean isByContent = job.has("dedupContent") && job.flag("dedupContent");
        if (dedupFor != null && !job.has("dedup") && !isByContent) {
            throw new ProblemException(
                    Problem.BAD_FIELD, "field 'dedupFor': expected 'dedup' or 'dedupContent' beside it, got neither");
        }
        if (isByContent && job.has("dedup")) {
            throw new ProblemException(
                    Problem.BAD_FIELD, "field 'dedupContent': expected no 'dedup' beside it, got one");
        }
        // The values are read now, so that a wrong one is told with the name of its field.
        String queue = job.has("queue") ? job.text("queue") : JobOptions.QUEUE_DEFAULT;
        JsonJob read = new JsonJob(type, job.raw("payload", "{}"), options -> {
            apply(job, options);
            if (isByContent && dedupFor != null) {
                options.dedupByContent(dedupFor);
            } else if (dedupFor != null) {
                options.dedup(job.text("dedup"), dedupFor);
            }
            if (job.has("after")) {
                options.after(unmet, ids(job, "after"));
            }
            children.forEach(child -> options.child(unmet, child.job()));
        });
        return new ReadJob(read, queue, type, children);
    }

    /** Says of a job what was sent about it. */
    static void apply(JsonDocument job, JobOptions options) {
        OPTIONS.forEach((name, option) -> {
            if (job.has(name)) {
                option.accept(options, job);
            }
        });
    }

    private static Unmet unmet(JsonDocument job) {
        String text = job.textOrNull("unmet");
        if (text == null) {
            return Unmet.FAIL;
        }
        for (Unmet unmet : Unmet.values()) {
            if (unmet.name().toLowerCase(Locale.ROOT).equals(text)) {
                return unmet;
            }
        }
        throw new ProblemException(
                Problem.BAD_FIELD, "field 'unmet': expected fail, ignore or remove, got '%s'".formatted(text));
    }

    private static JobId[] ids(JsonDocument job, String name) {
        return JsonDocument.read(
                name, () -> job.numbers(name).stream().map(JobId::of).toArray(JobId[]::new));
    }

    private static Map<String, BiConsumer<JobOptions, JsonDocument>> options() {
        Map<String, BiConsumer<JobOptions, JsonDocument>> options = new LinkedHashMap<>();
        options.put("queue", (job, sent) -> job.queue(sent.text("queue")));
        options.put("gate", (job, sent) -> job.gate(sent.text("gate")));
        options.put("gates", (job, sent) -> job.gates(sent.texts("gates")));
        options.put("cost", JobReader::cost);
        options.put("delay", (job, sent) -> {
            Duration delay = sent.spanOrNull("delay");
            if (delay != null) {
                job.delay(delay);
            }
        });
        options.put("at", (job, sent) -> {
            Instant at = sent.instantOrNull("at");
            if (at != null) {
                job.at(at);
            }
        });
        options.put("priority", (job, sent) -> job.priority(sent.integer("priority")));
        options.put("front", (job, sent) -> {
            if (sent.flag("front")) {
                job.front();
            }
        });
        options.put("keepPlace", (job, sent) -> {
            if (sent.flag("keepPlace")) {
                job.keepPlace();
            }
        });
        options.put("dedup", (job, sent) -> job.dedup(sent.text("dedup")));
        options.put("dedupContent", (job, sent) -> {
            if (sent.flag("dedupContent")) {
                job.dedupByContent();
            }
        });
        options.put("timeout", (job, sent) -> {
            Duration timeout = sent.spanOrNull("timeout");
            if (timeout != null) {
                job.timeout(timeout);
            }
        });
        options.put("deadline", (job, sent) -> {
            Instant deadline = sent.instantOrNull("deadline");
            if (deadline != null) {
                job.deadline(deadline);
            }
        });
        options.put("attempts", (job, sent) -> job.attempts(sent.integer("attempts")));
        options.put("labels", (job, sent) -> job.labels(sent.pairs("labels")));
        options.put("headers", (job, sent) -> job.headers(sent.pairs("headers")));
        options.put("after", (job, sent) -> {});
        options.put("afterEnd", (job, sent) -> job.afterEnd(ids(sent, "afterEnd")));
        options.put(
                "retry",
                (job, sent) -> job.retry(JsonDocument.read("retry", () -> RetryPolicy.parse(sent.text("retry")))));
        return options;
    }

    /** A number, or text such as {@code 1 openai=1500}. */
    private static void cost(JobOptions job, JsonDocument sent) {
        if (sent.isText("cost")) {
            job.cost(JsonDocument.read("cost", () -> Cost.parse(sent.text("cost"))));
        } else {
            job.cost(sent.number("cost"));
        }
    }
}
