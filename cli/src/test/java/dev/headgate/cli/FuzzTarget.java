package dev.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.builtin.HttpJob;
import dev.headgate.builtin.ShellJob;
import dev.headgate.cli.jobs.BuiltInPayloadCheck;
import dev.headgate.cli.policies.PolicyFiles;
import dev.headgate.handler.RetryPolicy;
import dev.headgate.internal.json.JsonCodec;
import dev.headgate.internal.text.Names;
import dev.headgate.internal.text.Text;
import dev.headgate.internal.time.Micros;
import dev.headgate.job.Cost;
import dev.headgate.job.UnreadableJsonException;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Spans;
import dev.headgate.policy.PolicyEntry;
import dev.headgate.resource.Needs;
import dev.headgate.schedule.Schedule.Timing;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Everything that reads text from outside. A reader may answer with a value or refuse with a message that says what was
 * expected, and nothing else; and what it took, written out, it reads back as the same.
 */
enum FuzzTarget {
    DURATION("500ms", "1h30m", "P1DT2H", "0s", "1d2h3m4s5ms6us") {
        @Override
        void read(String text) {
            Duration span = Spans.parse(text);
            assertThat(Micros.of(Spans.parse(Spans.text(span)))).isEqualTo(Micros.of(span));
        }
    },
    LIMITS(
            "concurrency 3",
            "rate 100/1m burst 10 by-cost",
            "window 50/1m; shadow budget 100; back-off 1s..5m",
            "adaptive 1..20",
            "spaced 10/10s",
            "delay 100ms",
            "quota 1000/day Europe/Berlin by-cost",
            "backlog 100 reject; fair; journal 1d",
            "rate 90000/1m by-cost; weight 3") {
        @Override
        void read(String text) {
            GatePolicy policy = GatePolicy.parse(text);
            assertThat(GatePolicy.parse(policy.text())).isEqualTo(policy);
        }
    },
    STORED_POLICY("concurrency 3", "concurrency 3 override 2026-01-01T00:00:00Z rate 1/1s") {
        @Override
        void read(String text) {
            PolicyEntry entry = PolicyEntry.parse(text);
            assertThat(PolicyEntry.parse(entry.text())).isEqualTo(entry);
        }
    },
    GATE_KEY("gate:openai", "queue:mail", "gate:tenant:*") {
        @Override
        void read(String text) {
            assertThat(GateKey.parse(text).text()).isEqualTo(text);
        }
    },
    NAME("tenant:acme", "'; drop table headgate_job; --", "ß 🚀", "a\u202eb") {
        @Override
        void read(String text) {
            assertThat(Names.check("queue", text)).isSameAs(text);
            assertThat(Text.visible(text)).doesNotContainPattern("\\p{Cntrl}");
        }
    },
    COST("5", "5 openai=1500 gpu=2", "1 a%20b=3") {
        @Override
        void read(String text) {
            Cost cost = Cost.parse(text);
            assertThat(Cost.parse(cost.text())).isEqualTo(cost);
        }
    },
    RETRY("exponential 1s..1h", "fixed 5s", "never") {
        @Override
        void read(String text) {
            RetryPolicy retry = RetryPolicy.parse(text);
            assertThat(RetryPolicy.parse(retry.text()).text()).isEqualTo(retry.text());
        }
    },
    NEEDS("memory=268435456 gpu=1", "cpu=1500") {
        @Override
        void read(String text) {
            Needs needs = Needs.parse(text);
            assertThat(Needs.parse(needs.text())).isEqualTo(needs);
        }
    },
    TIMING(
            "cron 0 3 * * * in Europe/Berlin",
            "cron */5 1-3,7 L * MON#2 in UTC",
            "cron 30 0 3 29 2 ?",
            "cron @daily in Asia/Kathmandu",
            "every 5m",
            "once 2026-03-29T02:30:00Z") {
        @Override
        void read(String text) {
            Timing timing = Timing.parse(text);
            assertThat(Timing.parse(timing.text()).text()).isEqualTo(timing.text());
            Instant next = timing.after(START);
            assertThat(next == null || next.isAfter(START)).isTrue();
        }
    },
    MOMENT("now", "5m", "+2h", "2030-01-31T09:00", "2030-01-31 09:00:00Z") {
        @Override
        void read(String text) {
            TimeOption.parse(text);
        }
    },
    POLICY_YAML(
            "queues:\n  mail:\n    limits: [concurrency 20, \"rate 100/1m burst 10\"]\ngates:\n  \"tenant:*\":\n    limits:\n      - concurrency 3\n    back-off: 1s..5m\n",
            "gates: {api: {limits: window 50/1m, shadow: [budget 5]}}",
            "a: &a [1]\nb: *a",
            "gates: !!java.net.URL [x]") {
        @Override
        void read(String text) throws IOException {
            PolicyFiles.read("-", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)))
                    .forEach((key, policy) -> {
                        assertThat(GateKey.parse(key.text())).isEqualTo(key);
                        assertThat(GatePolicy.parse(policy.text())).isEqualTo(policy);
                    });
        }
    },
    JOB_LINES(
            "{\"type\":\"echo\",\"payload\":{\"n\":1},\"queue\":\"mail\",\"gates\":[\"api\"],\"cost\":5}",
            "{\"type\":\"http\",\"payload\":{\"url\":\"http://e.com\"},\"delay\":\"5m\",\"dedup\":\"k\",\"dedupFor\":\"1h\"}",
            "{\"type\":\"a\",\"children\":[{\"type\":\"b\",\"at\":\"2030-01-31T09:00:00Z\"}],\"unmet\":\"ignore\"}\n{\"type\":\"c\",\"front\":true,\"deadline\":\"1h\",\"attempts\":3,\"retry\":\"fixed 5s\",\"after\":[1]}") {
        @Override
        void read(String text) {
            Prompt.Answer answer = new Prompt(java.nio.file.Path.of("nowhere"))
                    .typing(text)
                    .run("enqueue", "--from", "-", "--dry-run");
            if (answer.exit() != ExitCode.OK) {
                assertThat(answer.exit()).as(answer.err()).isEqualTo(ExitCode.USAGE);
                throw new IllegalArgumentException(answer.err());
            }
        }
    },
    PAYLOAD(
            "{\"n\":1,\"deep\":[[[{}]]],\"big\":1e400,\"text\":\"é🚀\\u0000\"}",
            "{\"@class\":\"javax.naming.InitialContext\",\"any\":[\"java.net.URL\",\"http://e.com\"]}",
            "null",
            "-0.0",
            "\"\\ud83d\\ude80\"") {
        @Override
        void read(String text) {
            CODEC.check("payload", text);
            Object value = CODEC.read("payload", text, Object.class);
            assertThat(value.getClass().getName())
                    .as("nothing but plain data")
                    .matches("java\\.lang\\..*|java\\.math\\..*|java\\.util\\.(LinkedHashMap|ArrayList)");
            CODEC.read("payload", text, Shape.class);
        }
    },
    HTTP_PAYLOAD(
            "{\"url\":\"https://e.com/a?b=c\",\"method\":\"PUT\",\"headers\":{\"X-A\":\"b\"},\"body\":\"x\",\"expect\":[\"200-299\",\"404\"],\"timeout\":\"5s\",\"keepBytes\":7}",
            "{\"url\":\"http://[::1]:8080/\",\"headersFromEnv\":{\"Authorization\":\"TOKEN\"},\"hold\":\"api\",\"keepHeaders\":[\"ETag\"]}") {
        @Override
        void read(String text) {
            new BuiltInPayloadCheck(CODEC).check("payload of 'http'", HttpJob.TYPE.name(), text);
            assertThat(CODEC.read("payload", text, HttpJob.class).toString()).doesNotContain("?");
        }
    },
    SHELL_PAYLOAD(
            "{\"command\":[\"rsync\",\"-a\"],\"env\":{\"A\":\"b\"},\"dir\":\"/tmp\",\"timeout\":\"1m\"}",
            "{\"script\":\"du -s *\",\"stdin\":\"x\",\"retryCode\":75,\"retryAfter\":\"1m\"}") {
        @Override
        void read(String text) {
            new BuiltInPayloadCheck(CODEC).check("payload of 'shell'", ShellJob.TYPE.name(), text);
        }
    };

    private static final JsonCodec CODEC = new JsonCodec();
    private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");

    /** A message may repeat what it was given, and say so much besides. */
    private static final int MESSAGE_LENGTH_MAX = 6_000;

    @SuppressWarnings("ImmutableEnumChecker") // List.of makes one that is
    private final List<String> seeds;

    FuzzTarget(String... seeds) {
        this.seeds = List.of(seeds);
    }

    /** A payload as a handler might declare it. */
    record Shape(
            int n,
            List<Object> deep,
            double big,
            String text,
            Map<String, Object> more,
            Instant at,
            Duration span,
            java.math.BigDecimal exact) {}

    /** Where mutation begins. */
    List<String> seeds() {
        return seeds;
    }

    /** Reads the text and checks what came of it. */
    abstract void read(String text) throws Exception;

    /** Does nothing if the target keeps its promise for this text; throws what breaks it otherwise. */
    final void judge(String text) throws Exception {
        judge(this::read, text);
    }

    /** Something that reads text. */
    interface Reader {
        void read(String text) throws Exception;
    }

    static void judge(Reader reader, String text) throws Exception {
        try {
            reader.read(text);
        } catch (IllegalArgumentException | UnreadableJsonException | CommandException refused) {
            assertThat(refused.getMessage())
                    .as("the refusal")
                    .isNotNull()
                    .containsAnyOf("expected", "unknown", "does not fit", "stands here a second time")
                    .hasSizeLessThan(MESSAGE_LENGTH_MAX + 4 * text.length());
        }
    }
}
