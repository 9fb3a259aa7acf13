package dev.headgate.room;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.List;
import java.util.Locale;

/**
 * The heap of this process. What is live is known as of the last collection of the old generation, because a young one
 * leaves garbage there and counts it; before the first of them it is what was used when this began.
 */
final class Heap {
    private final MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    private final List<MemoryPoolMXBean> oldPools = ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP && isOld(pool.getName()))
            .toList();
    private final long usedAtFirst = memory.getHeapMemoryUsage().getUsed();

    private static boolean isOld(String pool) {
        String name = pool.toLowerCase(Locale.ROOT);
        return !name.contains("eden") && !name.contains("survivor") && !name.contains("young");
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
        return live == 0 ? usedAtFirst : live;
    }
}
