package dev.headgate.resource;

import java.util.Collections;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a worker can take at most and has left, as it tells all others: {@code gpu=2/1 memory=268435456/12000000}.
 *
 * @param most what there could ever be, where that differs from the whole of a level; {@link Long#MAX_VALUE} if the worker
 *     cannot tell
 */
public record Capacity(Map<String, Level> levels, Map<String, Long> most) {
    /** Of a worker that starts whatever its gates let pass. */
    public static final Capacity UNTOLD = new Capacity(Map.of(), Map.of());

    /** The time left of a worker that ends; see {@code Worker.finishWithin}. In microseconds. */
    public static final String TIME = "time";

    private static final String MOST = "^";

    /**
     * One resource.
     *
     * @param whole the most that a job could have here as things are, with no other at work
     * @param free what is left now
     */
    public record Level(long whole, long free) {}

    public Capacity {
        levels = Collections.unmodifiableMap(new TreeMap<>(levels));
        most = Map.copyOf(most);
    }

    /** Whether the worker said anything. */
    public boolean isTold() {
        return !levels.isEmpty();
    }

    /** The first resource of which a job with these needs would not get enough here, now or ever; absent if it fits. */
    public @Nullable String lacking(Needs needs, boolean isEver) {
        for (Map.Entry<String, Long> need : needs.amounts().entrySet()) {
            Level level = level(need.getKey());
            long there = isEver ? most.getOrDefault(need.getKey(), level.whole()) : level.free();
            if (isTold() && need.getValue() > there) {
                return need.getKey();
            }
        }
        return null;
    }

    /** What there is of a resource; nothing if the worker did not name it. */
    public Level level(String resource) {
        return levels.getOrDefault(resource, new Level(0, 0));
    }

    /** The same of a worker that ends. */
    public Capacity until(long wholeMicros, long leftMicros) {
        Map<String, Level> more = new TreeMap<>(levels);
        more.put(TIME, new Level(wholeMicros, leftMicros));
        return new Capacity(more, most);
    }

    /** Whether it says nearly the same: no level differs by a sixteenth of the whole. */
    public boolean isLike(Capacity other) {
        boolean isLike = levels.keySet().equals(other.levels.keySet());
        for (Map.Entry<String, Level> each : levels.entrySet()) {
            Level one = each.getValue();
            Level two = other.level(each.getKey());
            long slight = one.whole() / 16;
            isLike &= Math.abs(one.whole() - two.whole()) <= slight && Math.abs(one.free() - two.free()) <= slight;
        }
        return isLike;
    }

    /** For the worker's row. No resource of a user has a name with the sign of {@link #MOST}. */
    public String text() {
        StringJoiner text = new StringJoiner(" ");
        levels.forEach((name, level) -> text.add(name + "=" + level.whole() + "/" + level.free()));
        new TreeMap<>(most).forEach((name, ever) -> text.add(MOST + name + "=" + ever + "/" + ever));
        return text.toString();
    }

    /** Reads {@link #text} back from a worker's row, where what limits the worker itself may follow. */
    public static Capacity parse(String row) {
        int line = row.indexOf('\n');
        String text = line < 0 ? row : row.substring(0, line);
        Map<String, Level> levels = new TreeMap<>();
        Map<String, Long> most = new TreeMap<>();
        for (String part : text.isEmpty() ? new String[0] : text.split(" ", -1)) {
            int sign = part.indexOf('=');
            int bar = part.indexOf('/', sign);
            String name = part.substring(0, sign);
            long whole = Long.parseLong(part, sign + 1, bar, 10);
            if (name.startsWith(MOST)) {
                most.put(name.substring(MOST.length()), whole);
            } else {
                levels.put(name, new Level(whole, Long.parseLong(part, bar + 1, part.length(), 10)));
            }
        }
        return new Capacity(levels, most);
    }
}
