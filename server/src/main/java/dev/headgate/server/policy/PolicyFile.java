package dev.headgate.server.policy;

import dev.headgate.internal.text.NearestName;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GateKey.Scope;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.TypePolicy;
import java.io.ByteArrayInputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * Policies as YAML. Everything that is wrong with a file is reported together, with its line and column. Anchors and
 * aliases are refused, nesting and size are bounded, and no type is made from a tag: a file can only name limits.
 */
public final class PolicyFile {
    /** The longest file. */
    public static final int BYTES_MAX = 1 << 20;

    private static final int DEPTH_MAX = 8;
    private static final List<String> SECTIONS = List.of("queues", "gates", "types");
    private static final List<String> FIELDS = List.of("limits", "shadow", "back-off");
    private static final List<String> TYPE_FIELDS = List.of("requires", "defaults");

    private final PolicyFileProblems problems;
    private final SortedMap<GateKey, GatePolicy> policies = new TreeMap<>();

    private PolicyFile(String name) {
        this.problems = new PolicyFileProblems(name);
    }

    /**
     * Reads the text of a file.
     *
     * @param name what to call it where it is wrong
     * @throws IllegalArgumentException that names all that is wrong with it
     */
    public static SortedMap<GateKey, GatePolicy> parse(String name, String text) {
        PolicyFile file = new PolicyFile(name);
        file.load(text);
        file.problems.throwIfAny();
        return file.policies;
    }

    private void load(String text) {
        LoadSettings settings =
                LoadSettings.builder().setCodePointLimit(BYTES_MAX).build();
        try {
            if (isPlain(text, settings)) {
                Optional<Node> root = new Compose(settings).composeString(text);
                root.ifPresentOrElse(
                        this::document,
                        () -> problems.add(Optional.empty(), "expected queues, gates or types, found nothing"));
            }
        } catch (MarkedYamlEngineException broken) {
            problems.add(broken.getProblemMark(), "expected YAML, got this: " + broken.getProblem());
        } catch (YamlEngineException broken) {
            problems.add(Optional.empty(), "expected YAML, got this: " + firstLine(broken.getMessage()));
        }
    }

    private static String firstLine(@Nullable String message) {
        return message == null ? "" : message.lines().findFirst().orElse("");
    }

    /** Looks at the events first, which are flat: composing something deep or looped would not end well. */
    private boolean isPlain(String text, LoadSettings settings) {
        int depth = 0;
        boolean isPlain = true;
        for (Event event : new Parse(settings)
                .parseReader(new InputStreamReader(
                        new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8))) {
            boolean isAnchored = event instanceof AliasEvent
                    || (event instanceof NodeEvent node && node.getAnchor().isPresent());
            if (isAnchored) {
                problems.add(event.getStartMark(), "expected no anchors or aliases; write the limits out");
                isPlain = false;
            }
            if (event instanceof CollectionStartEvent && ++depth > DEPTH_MAX) {
                problems.add(event.getStartMark(), "expected at most %d levels".formatted(DEPTH_MAX));
                return false;
            }
            if (event instanceof CollectionEndEvent) {
                depth--;
            }
        }
        return isPlain;
    }

    private void document(Node root) {
        for (Entry section : entries(root, "queues, gates and types")) {
            switch (section.name) {
                case "queues" -> policies(Scope.QUEUE, section);
                case "gates" -> policies(Scope.GATE, section);
                case "types" ->
                    entries(section.value, "names with what they require").forEach(this::type);
                default -> unknown(section, SECTIONS);
            }
        }
    }

    private void policies(Scope scope, Entry section) {
        entries(section.value, "names with their limits").forEach(entry -> policy(scope, entry));
    }

    private void type(Entry entry) {
        problems.collect(entry.at, () -> GateKey.type(entry.name));
        List<String> gates = new ArrayList<>();
        List<String> defaults = new ArrayList<>();
        boolean isSound = true;
        for (Entry field : entries(entry.value, "requires: […]")) {
            isSound &= switch (field.name) {
                case "requires" -> names(field.value, gates);
                case "defaults" -> defaults(field.value, defaults);
                default -> unknown(field, TYPE_FIELDS);
            };
        }
        if (isSound) {
            problems.collect(entry.at, () -> policies.put(GateKey.type(entry.name), type(gates, defaults)));
        }
    }

    private boolean defaults(Node node, List<String> parts) {
        if (!(node instanceof ScalarNode)) {
            problems.add(
                    node.getStartMark(),
                    "expected one text such as \"queue=llm gate=provider cost=5\", found %s".formatted(kind(node)));
            return false;
        }
        return item(node, "defaults ", parts);
    }

    private static GatePolicy type(List<String> gates, List<String> defaults) {
        GatePolicy policy = GatePolicy.parse(String.join("; ", defaults));
        return gates.isEmpty() && !defaults.isEmpty()
                ? policy
                : policy.options(policy.options()
                        .with(TypePolicy.requiring(gates).and(policy.options().type())));
    }

    private boolean names(Node node, List<String> gates) {
        boolean isSound = true;
        for (Node each : node instanceof SequenceNode list ? list.getValue() : List.of(node)) {
            if (each instanceof ScalarNode scalar && !scalar.getValue().isBlank()) {
                gates.add(scalar.getValue());
            } else {
                problems.add(each.getStartMark(), "expected the name of a gate, found %s".formatted(kind(each)));
                isSound = false;
            }
        }
        return isSound;
    }

    private void policy(Scope scope, Entry entry) {
        problems.collect(entry.at, () -> new GateKey(scope, entry.name));
        List<String> parts = new ArrayList<>();
        boolean isSound = true;
        for (Entry field : entries(entry.value, "limits: […]")) {
            isSound &= switch (field.name) {
                case "limits" -> items(field.value, "", parts);
                case "shadow" -> items(field.value, "shadow ", parts);
                case "back-off" -> item(field.value, "back-off ", parts);
                default -> unknown(field, FIELDS);
            };
        }
        if (isSound) {
            problems.collect(entry.at, () -> put(new GateKey(scope, entry.name), String.join("; ", parts)));
        }
    }

    private void put(GateKey key, String text) {
        GatePolicy policy = GatePolicy.parse(text);
        if (policy.isOpen()) {
            throw new IllegalArgumentException(
                    "%s: expected at least one limit; leave the name out to have none".formatted(key));
        }
        policies.put(key, policy);
    }

    private boolean unknown(Entry entry, List<String> known) {
        problems.add(entry.at, "unknown key '%s'%s".formatted(entry.name, NearestName.hint(entry.name, known)));
        return false;
    }

    private boolean items(Node node, String prefix, List<String> parts) {
        if (!(node instanceof SequenceNode list)) {
            return item(node, prefix, parts);
        }
        boolean isSound = true;
        for (Node each : list.getValue()) {
            isSound &= item(each, prefix, parts);
        }
        return isSound;
    }

    /** One limit, read by itself first, so that what is wrong with it is told where it stands. */
    private boolean item(Node node, String prefix, List<String> parts) {
        if (!(node instanceof ScalarNode scalar) || scalar.getValue().isBlank()) {
            problems.add(node.getStartMark(), "expected a limit such as concurrency 3, found %s".formatted(kind(node)));
            return false;
        }
        String text = prefix + scalar.getValue();
        try {
            GatePolicy.parse(text);
            parts.add(text);
            return true;
        } catch (IllegalArgumentException unreadable) {
            problems.add(node.getStartMark(), String.valueOf(unreadable.getMessage()));
            return false;
        }
    }

    /** One key of a mapping, with its place. */
    private record Entry(String name, Optional<Mark> at, Node value) {}

    private List<Entry> entries(Node node, String expected) {
        if (!(node instanceof MappingNode mapping)) {
            problems.add(node.getStartMark(), "expected %s, found %s".formatted(expected, kind(node)));
            return List.of();
        }
        List<Entry> entries = new ArrayList<>();
        Map<String, Optional<Mark>> seen = new HashMap<>();
        for (NodeTuple tuple : mapping.getValue()) {
            Optional<Mark> at = tuple.getKeyNode().getStartMark();
            if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
                problems.add(at, "expected a name, found %s".formatted(kind(tuple.getKeyNode())));
                continue;
            }
            Optional<Mark> first = seen.putIfAbsent(key.getValue(), at);
            if (first != null) {
                problems.add(
                        at,
                        "'%s' stands here a second time; first on %s"
                                .formatted(key.getValue(), PolicyFileProblems.place(first)));
                continue;
            }
            entries.add(new Entry(key.getValue(), at, tuple.getValueNode()));
        }
        return entries;
    }

    private static String kind(Node node) {
        return switch (node) {
            case MappingNode mapping -> "a mapping";
            case SequenceNode sequence -> "a list";
            case ScalarNode scalar -> scalar.getValue().isEmpty() ? "nothing" : "'" + scalar.getValue() + "'";
            default -> "something else";
        };
    }
}
