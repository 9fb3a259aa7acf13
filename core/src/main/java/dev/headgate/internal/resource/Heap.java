package dev.headgate.internal.resource;

import com.sun.management.GarbageCollectorMXBean;
import com.sun.management.GcInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The heap of this process. The live part is known from the last collection of the old generation, because a young
 * collection leaves garbage there and counts it. Before the first old collection it is what the latest collection of
 * any kind left; before any collection this asks for one, which costs a young process next to nothing.
 */
public final class Heap {
    private final MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    private final List<MemoryPoolMXBean> heapPools = ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .toList();
    private final List<MemoryPoolMXBean> oldPools =
            heapPools.stream().filter(pool -> isOld(pool.getName())).toList();

    Heap() {
        if (latest() == null) {
            System.gc();
        }
    }

    private static boolean isOld(String pool) {
        String name = pool.toLowerCase(Locale.ROOT);
        return !name.contains("eden") && !name.contains("survivor") && !name.contains("young");
    }

    /** Whether large objects have regions of their own, as with G1. */
    boolean isInRegions() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .anyMatch(collector -> collector.getName().startsWith("G1"));
    }

    long max() {
        return Runtime.getRuntime().maxMemory();
    }

    long committed() {
        return memory.getHeapMemoryUsage().getCommitted();
    }

    long live() {
        long live = 0;
        for (MemoryPoolMXBean pool : oldPools) {
            MemoryUsage after = pool.getCollectionUsage();
            live += after == null ? 0 : after.getUsed();
        }
        return live == 0 ? survived() : live;
    }

    /** What the latest collection has left; what is in use, if there was none. */
    private long survived() {
        GcInfo latest = latest();
        if (latest == null) {
            return memory.getHeapMemoryUsage().getUsed();
        }
        Map<String, MemoryUsage> after = latest.getMemoryUsageAfterGc();
        long live = 0;
        for (MemoryPoolMXBean pool : heapPools) {
            MemoryUsage left = after.get(pool.getName());
            live += left == null ? 0 : left.getUsed();
        }
        return live;
    }

    private static @Nullable GcInfo latest() {
        GcInfo latest = null;
        for (var collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            GcInfo info = collector instanceof GarbageCollectorMXBean telling ? telling.getLastGcInfo() : null;
            boolean isLater = info != null && (latest == null || info.getEndTime() > latest.getEndTime());
            latest = isLater ? info : latest;
        }
        return latest;
    }
}
