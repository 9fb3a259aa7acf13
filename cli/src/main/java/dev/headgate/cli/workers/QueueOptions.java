package dev.headgate.cli.workers;

import dev.headgate.JobOptions;
import dev.headgate.cli.CommandException;
import dev.headgate.internal.text.NearestName;
import dev.headgate.limit.Serve;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which queues a worker serves, and which of them first. */
final class QueueOptions {
    private static final String WEIGHTED = "weighted";
    private static final Map<String, Serve> ORDERS =
            Map.of("oldest-first", Serve.OLDEST_FIRST, "strict", Serve.STRICT, "round-robin", Serve.ROUND_ROBIN);

    /** All orders, for the completion of a shell. */
    static final class Orders implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return orders().iterator();
        }
    }

    private static List<String> orders() {
        List<String> orders = new ArrayList<>(ORDERS.keySet());
        orders.add(WEIGHTED);
        orders.sort(null);
        return orders;
    }

    @Option(
            names = "--queues",
            paramLabel = "NAME",
            split = ",",
            description =
                    "the queues it serves, with commas between them; 'default' if not given. 'site:*' is all that begin so, also later")
    private List<String> listed = List.of();

    @Option(names = "--queue", paramLabel = "NAME", description = "one more queue; its name may have a comma")
    private List<String> named = List.of();

    @Option(
            names = "--serve",
            paramLabel = "ORDER",
            completionCandidates = Orders.class,
            description = "which queue gets a free slot: oldest-first, strict (as named), round-robin or weighted"
                    + " (--queues a=3,b=1; 1 if not given); oldest-first if not given")
    private @Nullable String order;

    /** Their names, without weights. */
    List<String> queues() {
        return List.copyOf(weights().keySet());
    }

    Serve serve() {
        if (order == null) {
            return Serve.OLDEST_FIRST;
        }
        if (order.equals(WEIGHTED)) {
            return Serve.weighted(weights());
        }
        Serve known = ORDERS.get(order);
        if (known == null) {
            List<String> orders = orders();
            throw CommandException.usage("--serve: expected oldest-first, strict, round-robin or weighted, got '%s'%s"
                    .formatted(
                            order, NearestName.names(order, orders).isEmpty() ? "" : NearestName.hint(order, orders)));
        }
        return known;
    }

    /** A name may have an equals sign; it separates a weight only where weights are asked for. */
    private Map<String, Integer> weights() {
        Map<String, Integer> weights = new LinkedHashMap<>();
        List<String> all = new ArrayList<>(listed);
        all.addAll(named);
        for (String each : all.isEmpty() ? List.of(JobOptions.QUEUE_DEFAULT) : all) {
            int sign = WEIGHTED.equals(order) ? each.lastIndexOf('=') : -1;
            weights.put(
                    sign < 0 ? each : each.substring(0, sign), sign < 0 ? 1 : weight(each, each.substring(sign + 1)));
        }
        return weights;
    }

    private static int weight(String given, String digits) {
        try {
            return Integer.parseInt(digits);
        } catch (NumberFormatException noNumber) {
            throw CommandException.usage("--queues: expected NAME=WEIGHT with a weight of 1 to %d, got '%s'"
                    .formatted(Serve.WEIGHT_MAX, given));
        }
    }
}
