package dev.headgate.server.api;

import dev.headgate.Headgate;
import dev.headgate.limit.GateKey;
import dev.headgate.resource.Needs;
import dev.headgate.resource.TypeFigures;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The job types that a store knows. */
public final class TypeList {
    private TypeList() {}

    /** Those with figures, and those of which only a policy is known, by name. */
    public static List<TypeFigures> read(Headgate headgate) {
        SortedMap<String, TypeFigures> all = new TreeMap<>();
        headgate.policies().all().keySet().stream()
                .filter(key -> key.scope() == GateKey.Scope.TYPE)
                .forEach(key -> all.put(key.name(), new TypeFigures(key.name(), Needs.NONE, null, 0, null, null)));
        headgate.demand().types().forEach(figures -> all.put(figures.type(), figures));
        return List.copyOf(all.values());
    }
}
