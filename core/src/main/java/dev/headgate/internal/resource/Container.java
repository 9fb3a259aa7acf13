package dev.headgate.internal.resource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the container lets this process have: control groups of version 2, then of version 1, then the whole machine.
 * Counts anonymous memory, not the page cache, which the kernel frees on demand. Files are read below a root, so that
 * tests can fake them. A file that cannot be read is logged once, and the next source is asked.
 */
public final class Container {
    private static final Logger log = LoggerFactory.getLogger(Container.class);

    /** Version 1 shows a number near 2^63 if there is no limit. */
    private static final long ABSURD = 1L << 60;

    /** Of the whole process: a container is read anew for each look at it. */
    private static final Set<Path> REPORTED = ConcurrentHashMap.newKeySet();

    private final Path root;

    /** The limit, and what all processes in it use. */
    record Memory(long limit, long used, String from) {}

    public Container(Path root) {
        this.root = root;
    }

    /** Absent if no source knows it. */
    @Nullable
    Memory memory() {
        Memory group =
                tightest(levels("", "sys/fs/cgroup", "sys/fs/cgroup/unified"), "memory.max", "anon", "cgroup v2");
        if (group == null) {
            group = tightest(
                    levels("memory", "sys/fs/cgroup/memory"), "memory.limit_in_bytes", "total_rss", "cgroup v1");
        }
        return group != null ? group : machine();
    }

    /** The group with the least memory left, of this one and all groups around it. */
    private @Nullable Memory tightest(List<Path> levels, String limitFile, String usedKey, String from) {
        Memory tightest = null;
        for (Path level : levels) {
            Long limit = number(level.resolve(limitFile));
            Long used = limit == null || limit >= ABSURD ? null : value(level.resolve("memory.stat"), usedKey, 1);
            if (limit != null && used != null) {
                Memory memory = new Memory(limit, used, from);
                tightest = tightest == null || limit - used < tightest.limit() - tightest.used() ? memory : tightest;
            }
        }
        return tightest;
    }

    private @Nullable Memory machine() {
        Path meminfo = root.resolve("proc/meminfo");
        Long total = value(meminfo, "MemTotal:", 1024);
        Long available = value(meminfo, "MemAvailable:", 1024);
        return total == null || available == null ? null : new Memory(total, total - available, "/proc/meminfo");
    }

    /** The anonymous memory of a process; absent if it is gone or no source knows it. */
    @Nullable
    Long anonymous(long process) {
        return value(root.resolve("proc/" + process + "/status"), "RssAnon:", 1024);
    }

    /** Thousandths of a core that the group may use; absent if it is not limited. */
    @Nullable
    public Long cpuMillis() {
        Long least = null;
        for (Path level : levels("", "sys/fs/cgroup", "sys/fs/cgroup/unified")) {
            String text = text(level.resolve("cpu.max"));
            String[] parts = text == null ? new String[0] : text.split(" ", -1);
            least = parts.length == 2 ? less(least, share(longOf(parts[0]), longOf(parts[1]))) : least;
        }
        for (Path level : levels("cpu", "sys/fs/cgroup/cpu", "sys/fs/cgroup/cpu,cpuacct")) {
            Long quota = number(level.resolve("cpu.cfs_quota_us"));
            least = less(least, share(quota, number(level.resolve("cpu.cfs_period_us"))));
        }
        return least;
    }

    private static @Nullable Long share(@Nullable Long quota, @Nullable Long period) {
        return quota == null || period == null || quota <= 0 || period <= 0
                ? null
                : Long.valueOf(quota * 1000 / period);
    }

    private static @Nullable Long less(@Nullable Long one, @Nullable Long other) {
        return one == null || (other != null && other < one) ? other : one;
    }

    /** The folders of this process's group, from its own up to the top; version 2 names no controller. */
    private List<Path> levels(String controller, String... mounts) {
        String own = ownGroup(controller);
        List<Path> levels = new ArrayList<>();
        for (String mount : mounts) {
            Path top = root.resolve(mount);
            Path level = top.resolve(own.substring(own.startsWith("/") ? 1 : 0)).normalize();
            // A container may see its own group as the top, whatever the path outside is called.
            while (level != null && level.startsWith(top)) {
                levels.add(level);
                level = level.getParent();
            }
        }
        return levels;
    }

    private String ownGroup(String controller) {
        String groups = text(root.resolve("proc/self/cgroup"));
        for (String line : groups == null ? new String[0] : groups.split("\n", -1)) {
            String[] parts = line.split(":", 3);
            if (parts.length == 3 && List.of(parts[1].split(",", -1)).contains(controller)) {
                return parts[2];
            }
        }
        return "";
    }

    private @Nullable Long number(Path file) {
        String text = text(file);
        if (text == null || text.equals("max")) {
            return null;
        }
        Long number = longOf(text);
        if (number == null) {
            report(file, "expected a number or 'max', got '" + text + "'");
        }
        return number;
    }

    /** The number behind a word at the start of a line. */
    private @Nullable Long value(Path file, String key, long unit) {
        String text = text(file);
        if (text == null) {
            return null;
        }
        for (String line : text.split("\n", -1)) {
            String[] words = line.strip().split("\\s+", -1);
            Long number = words.length > 1 && words[0].equals(key) ? longOf(words[1]) : null;
            if (number != null) {
                return number * unit;
            }
        }
        report(file, "expected a line '" + key + " …', got none");
        return null;
    }

    private static @Nullable Long longOf(String text) {
        try {
            return Long.valueOf(text);
        } catch (NumberFormatException notANumber) {
            return null;
        }
    }

    private @Nullable String text(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (NoSuchFileException absent) {
            return null;
        } catch (IOException unreadable) {
            if (Files.exists(file)) {
                report(file, unreadable.toString());
            }
            return null;
        }
    }

    private void report(Path file, String why) {
        if (REPORTED.add(file)) {
            log.warn("{}: {}; the next source is asked instead (said once)", file, why);
        }
    }
}
