package dev.headgate.proof.differential;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Jobs by the order in which they came: two stores may give different ids, never a different order. */
final class Numbers {
    private static final Pattern JOB = Pattern.compile("\\bjob (\\d+)");

    private final Map<Long, Integer> byId = new HashMap<>();
    private final List<Long> ids = new ArrayList<>();

    int of(long id) {
        return byId.computeIfAbsent(id, fresh -> {
            ids.add(fresh);
            return ids.size() - 1;
        });
    }

    /** The same text with jobs by their numbers. */
    String named(String text) {
        return JOB.matcher(text).replaceAll(found -> "job #" + of(Long.parseLong(found.group(1))));
    }

    long id(int number) {
        return ids.get(number);
    }

    int count() {
        return ids.size();
    }
}
