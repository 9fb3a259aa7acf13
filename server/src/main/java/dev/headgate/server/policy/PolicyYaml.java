package dev.headgate.server.policy;

import dev.headgate.limit.GateKey;
import dev.headgate.limit.GateKey.Scope;
import dev.headgate.limit.TypeDefaults;
import dev.headgate.limit.TypePolicy;
import dev.headgate.policy.PolicyEntry;
import dev.headgate.policy.PolicyOverride;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.regex.Pattern;

/**
 * Writes what {@link PolicyFile} reads back as the same policies. Overrides end by themselves, so they are written as
 * comments.
 */
public final class PolicyYaml {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z][A-Za-z0-9_./-]*");
    /** Words that some YAML readers take for something else than text. */
    private static final Set<String> MEANING =
            Set.of("true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf");

    private static final String SHADOW = "shadow ";
    private static final String BACK_OFF = "back-off ";

    private final StringBuilder yaml = new StringBuilder();

    private PolicyYaml() {}

    /** All policies as one file. */
    public static String write(long version, SortedMap<GateKey, PolicyEntry> entries) {
        PolicyYaml yaml = new PolicyYaml();
        yaml.line(0, "# Policies of version %d. Put them in force with: headgate policy apply FILE".formatted(version));
        yaml.section("queues", Scope.QUEUE, entries);
        yaml.section("gates", Scope.GATE, entries);
        if (entries.keySet().stream().anyMatch(key -> key.scope() == Scope.TYPE)) {
            yaml.section("types", Scope.TYPE, entries);
        }
        return yaml.yaml.toString();
    }

    private void section(String title, Scope scope, SortedMap<GateKey, PolicyEntry> entries) {
        boolean isEmpty = entries.entrySet().stream()
                .noneMatch(entry -> entry.getKey().scope() == scope
                        && !entry.getValue().lasting().isOpen());
        line(0, title + (isEmpty ? ": {}" : ":"));
        entries.forEach((key, entry) -> {
            if (key.scope() == scope) {
                policy(key, entry);
            }
        });
    }

    private void policy(GateKey key, PolicyEntry entry) {
        PolicyOverride override = entry.override();
        if (override != null) {
            line(
                    1,
                    "# %s has an override until %s: %s"
                            .formatted(
                                    quoted(key.name()),
                                    override.ends(),
                                    override.policy().isOpen()
                                            ? "no limits"
                                            : override.policy().text()));
        }
        if (entry.lasting().isOpen()) {
            return;
        }
        line(1, name(key.name()) + ":");
        TypePolicy demands = entry.lasting().options().type();
        if (demands != null) {
            list("requires", demands.requires().stream().map(PolicyYaml::name).toList());
            TypeDefaults defaults = demands.defaults();
            if (defaults != null) {
                line(2, "defaults: " + quoted(defaults.text().substring("defaults ".length())));
            }
            return;
        }
        List<String> limits = new ArrayList<>();
        List<String> shadows = new ArrayList<>();
        List<String> backOffs = new ArrayList<>();
        for (String part : entry.lasting().text().split("; ", -1)) {
            if (part.startsWith(SHADOW)) {
                shadows.add(part.substring(SHADOW.length()));
            } else if (part.startsWith(BACK_OFF)) {
                backOffs.add(part.substring(BACK_OFF.length()));
            } else {
                limits.add(part);
            }
        }
        list("limits", limits);
        list("shadow", shadows);
        backOffs.forEach(backOff -> line(2, "back-off: " + backOff));
    }

    private void list(String title, List<String> items) {
        if (!items.isEmpty()) {
            line(2, title + ":");
            items.forEach(item -> line(3, "- " + item));
        }
    }

    private void line(int depth, String text) {
        yaml.append("  ".repeat(depth)).append(text).append('\n');
    }

    private static String name(String text) {
        boolean isPlain = PLAIN.matcher(text).matches() && !MEANING.contains(text.toLowerCase(java.util.Locale.ROOT));
        return isPlain ? text : quoted(text);
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.codePoints().forEach(c -> {
            switch (Character.getType(c)) {
                case Character.CONTROL,
                        Character.FORMAT,
                        Character.UNASSIGNED,
                        Character.PRIVATE_USE,
                        Character.LINE_SEPARATOR,
                        Character.PARAGRAPH_SEPARATOR -> quoted.append("\\U%08x".formatted(c));
                default -> quoted.append(c == '"' || c == '\\' ? "\\" : "").appendCodePoint(c);
            }
        });
        return quoted.append('"').toString();
    }
}
