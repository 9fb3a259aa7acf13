package dev.headgate.cli.jobs;

import dev.headgate.cli.CommandException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import picocli.CommandLine.Option;

/** Labels and headers on the command line. */
public final class AttributeOptions {
    @Option(
            names = "--label",
            paramLabel = "NAME=VALUE",
            description = "a label, by which lists find it; give it again for more")
    private List<String> labels = List.of();

    @Option(
            names = "--job-header",
            paramLabel = "NAME=VALUE",
            description = "context that its handler reads and hands on, such as a traceparent; give it again for more")
    private List<String> headers = List.of();

    /** Hands them over, one after the other. */
    public void apply(BiConsumer<String, String> label, BiConsumer<String, String> header) {
        pairs("--label", labels).forEach(label);
        pairs("--job-header", headers).forEach(header);
    }

    /** Reads texts such as {@code team=mail}. A value is not repeated in a message: that of a header may be secret. */
    public static Map<String, String> pairs(String option, List<String> given) {
        Map<String, String> pairs = new TreeMap<>();
        for (String pair : given) {
            int equals = pair.indexOf('=');
            if (equals < 1) {
                throw CommandException.usage("%s: expected NAME=VALUE, such as team=mail".formatted(option));
            }
            String name = pair.substring(0, equals);
            if (pairs.put(name, pair.substring(equals + 1)) != null) {
                throw CommandException.usage("%s: expected each name once, got '%s' twice".formatted(option, name));
            }
        }
        return pairs;
    }
}
