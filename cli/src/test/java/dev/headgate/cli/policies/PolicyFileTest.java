package dev.headgate.cli.policies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headgate.internal.time.Micros;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.policy.PolicyEntry;
import dev.headgate.policy.PolicyOverride;
import dev.headgate.server.policy.PolicyFile;
import dev.headgate.server.policy.PolicyYaml;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Policies as YAML: what is read, what is written, and what is refused with its place. */
class PolicyFileTest {
    private static SortedMap<GateKey, GatePolicy> read(String yaml) {
        return PolicyFile.parse("limits.yaml", yaml);
    }

    @Test
    void aFileIsReadInEitherStyle() {
        assertThat(read("""
                queues:
                  mail: { limits: [concurrency 20, rate 100/1m burst 10] }
                gates:
                  "tenant:*": { limits: [concurrency 3] }
                  openai:
                    limits:
                      - window 50/1m
                      - rate 90000/1m by-cost
                    shadow: [concurrency 2]
                    back-off: 2s x3 max 5m
                  7: { limits: budget 4; concurrency 2 }
                """))
                .isEqualTo(Map.of(
                        GateKey.queue("mail"), GatePolicy.parse("concurrency 20; rate 100/1m burst 10"),
                        GateKey.gate("tenant:*"), GatePolicy.parse("concurrency 3"),
                        GateKey.gate("openai"),
                                GatePolicy.parse("window 50/1m; rate 90000/1m by-cost; shadow concurrency 2;"
                                        + " back-off 2s x3 max 5m"),
                        GateKey.gate("7"), GatePolicy.parse("budget 4; concurrency 2")));
    }

    @Test
    void whatIsWrittenIsReadBackAsTheSame() {
        SortedMap<GateKey, PolicyEntry> entries = new TreeMap<>();
        List<String> names = List.of(
                "plain",
                "tenant:*",
                "yes",
                "Null",
                "1",
                "1e3",
                "- x",
                "a: b",
                "#x",
                "\"quoted\" \\ back",
                " spaced ",
                "emoji 🚦",
                "zero\u200Bwidth",
                "line\u2028sep",
                "*",
                "&a",
                "!t",
                "{}",
                "[",
                "'",
                "%",
                "@",
                "`",
                "~",
                "a*b",
                "2026-01-01",
                "0x1F",
                "<<",
                "=",
                "?",
                "|",
                ">",
                ",");
        for (String name : names) {
            entries.put(GateKey.gate(name), new PolicyEntry(GatePolicy.parse("concurrency 3"), null));
        }
        entries.put(
                GateKey.queue("mail"),
                new PolicyEntry(
                        GatePolicy.parse(
                                "concurrency 9; adaptive 1..20; rate 7/1h30m burst 2; window 50/1m; spaced 10/10s;"
                                        + " quota 1000/day Europe/Berlin; shadow budget 4; back-off 2s x3 max 5m"),
                        new PolicyOverride(
                                GatePolicy.parse("concurrency 1"), Micros.of(Instant.parse("2030-01-31T09:00:00Z")))));
        entries.put(
                GateKey.queue("only"),
                new PolicyEntry(GatePolicy.OPEN, new PolicyOverride(GatePolicy.OPEN, Micros.PER_SECOND)));
        Map<GateKey, GatePolicy> lasting = new TreeMap<>();
        entries.forEach((key, entry) -> {
            if (!entry.lasting().isOpen()) {
                lasting.put(key, entry.lasting());
            }
        });
        String yaml = PolicyYaml.write(7, entries);
        assertThat(read(yaml)).isEqualTo(lasting);
        assertThat(yaml)
                .contains("# \"mail\" has an override until 2030-01-31T09:00:00Z: concurrency 1")
                .contains("has an override until 1970-01-01T00:00:01Z: no limits");
    }

    @Test
    void anEmptyStoreIsAFileToo() {
        assertThat(read(PolicyYaml.write(0, new TreeMap<>()))).isEmpty();
    }

    static Stream<Arguments> wrongFiles() {
        return Stream.of(
                Arguments.of(
                        "gate:\n  a: {limits: [concurrency 3]}",
                        "line 1, column 1: unknown key 'gate'; did you mean 'gates'?"),
                Arguments.of(
                        "gates:\n  a: {limit: [concurrency 3]}",
                        "line 2, column 7: unknown key 'limit'; did you mean 'limits'?"),
                Arguments.of("gates:\n  a: {limits: [concurency 3]}", "line 2, column 16: limit 'concurency 3'"),
                Arguments.of("gates:\n  a: {limits: []}", "line 2, column 3: gate a: expected at least one limit"),
                Arguments.of("gates:\n  a:", "line 2, column 5: expected limits: […], found nothing"),
                Arguments.of("gates:\n  a: [concurrency 3]", "line 2, column 6: expected limits: […], found a list"),
                Arguments.of("gates: 7", "line 1, column 8: expected names with their limits, found '7'"),
                Arguments.of("[]", "line 1, column 1: expected queues, gates and types, found a list"),
                Arguments.of("", "line 1, column 1: expected queues, gates or types, found nothing"),
                Arguments.of(
                        "gates:\n  a: {limits: [[concurrency 3]]}",
                        "line 2, column 16: expected a limit such as concurrency 3, found a list"),
                Arguments.of(
                        "gates:\n  a: {limits: [concurrency 3, concurrency 4]}",
                        "line 2, column 3: policy: expected at most one limit of each kind"),
                Arguments.of(
                        "gates:\n  a: {limits: [concurrency 3]}\n  b: {limits: [concurrency 3]}\n  a: {limits: [budget 3]}",
                        "line 4, column 3: 'a' stands here a second time; first on line 2"),
                Arguments.of("gates: {}\ngates: {}", "line 2, column 1: 'gates' stands here a second time"),
                Arguments.of(
                        "gates:\n  a: {limits: [concurrency 3], back-off: 1s}",
                        "line 2, column 42: back-off '1s': expected a form such as"),
                Arguments.of("gates:\n  \"\": {limits: [concurrency 3]}", "line 2, column 3: gate: expected a name"),
                Arguments.of(
                        "gates:\n  a: &x {limits: [concurrency 3]}\n  b: *x", "line 2, column 6: expected no anchors"),
                Arguments.of("gates: [a", "line 1, column 10: expected YAML, got this"),
                Arguments.of("gates: {}\n---\nqueues: {}", "line 2, column 1: expected YAML, got this"),
                Arguments.of("[".repeat(100_000), "line 1, column 9: expected at most 8 levels"),
                Arguments.of("gates:\n\t a: 1", "line 2, column 1: expected YAML, got this"),
                Arguments.of("gates: !!java.net.URL [x]", "line 1, column 8: expected names with their limits"),
                Arguments.of("? [a]\n: 1", "line 1, column 3: expected a name, found a list"));
    }

    @ParameterizedTest
    @MethodSource("wrongFiles")
    void whatIsWrongIsToldWithItsPlace(String yaml, String message) {
        assertThatThrownBy(() -> read(yaml))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("limits.yaml")
                .hasMessageContaining(message)
                .hasMessageContaining("nothing was changed");
    }

    @Test
    void allProblemsAreToldTogether() {
        assertThatThrownBy(() -> read("""
                        queus: {}
                        gates:
                          a: { limits: [concurrency 0, rate 5] }
                          b: { limts: [concurrency 1] }
                        """))
                .hasMessageContaining("limits.yaml: 4 problems; nothing was changed")
                .hasMessageContainingAll(
                        "line 1, column 1: unknown key 'queus'; did you mean 'queues'?",
                        "line 3, column 17: concurrency: expected at least 1, got 0",
                        "line 3, column 32: limit 'rate 5'",
                        "line 4, column 8: unknown key 'limts'; did you mean 'limits'?");
    }

    @Test
    void aFileThatIsTooLargeOrNotTextIsRefused() {
        byte[] large = " ".repeat(PolicyFile.BYTES_MAX + 1).getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> PolicyFiles.read("-", new ByteArrayInputStream(large)))
                .hasMessageContaining("-: expected at most 1048576 bytes");
        assertThatThrownBy(() -> PolicyFiles.read("-", new ByteArrayInputStream(new byte[] {(byte) 0xC3, 0x28})))
                .hasMessageContaining("expected UTF-8 text");
        assertThatThrownBy(() -> PolicyFiles.read("no-such-file.yaml", new ByteArrayInputStream(new byte[0])))
                .hasMessageContaining("no-such-file.yaml: expected a file that can be read");
    }
}
