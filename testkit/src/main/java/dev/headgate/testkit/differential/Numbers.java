package dev.headgate.testkit.differential;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Jobs by the order in which they came: two stores may give different ids, never a different order. */
final class Numbers {
    private final Map<Long, Integer> byId = new HashMap<>();
    private final List<Long> ids = new ArrayList<>();

    int of(long id) {
        return byId.computeIfAbsent(id, fresh -> {
            ids.add(fresh);
            return ids.size() - 1;
        });
    }

    long id(int number) {
        return ids.get(number);
    }

    int count() {
        return ids.size();
    }
}
