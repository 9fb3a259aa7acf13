package dev.headgate.internal.resource;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Containers as files, faked. */
class FreeMemoryTest {
    private static final long MB = 1L << 20;

    @TempDir
    Path root;

    private void file(String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private void used(long limit, long bytes) throws IOException {
        file("proc/self/cgroup", "0::/box\n");
        file("sys/fs/cgroup/box/memory.max", limit + "\n");
        file("sys/fs/cgroup/box/memory.stat", "anon %d\n".formatted(bytes));
    }

    private void process(long number, long bytes) throws IOException {
        file("proc/%d/status".formatted(number), "Name:\tjava\nRssAnon:\t  %d kB\n".formatted(bytes / 1024));
    }

    /** Children with little to do have a third of what they may take: the container must hold all of them grown. */
    @Test
    void processesGrowToWhatFitsIfEachTakesAllItMay() throws IOException {
        long heap = 64 * MB;
        List<Long> children = new ArrayList<>();
        long used = 100 * MB;
        used(1_000 * MB, used);
        FreeMemory free = FreeMemory.below(root, heap, children, 0);
        while (free.more() > 0) {
            long child = 100L + children.size();
            children.add(child);
            process(child, 66 * MB);
            used += 66 * MB;
            used(1_000 * MB, used);
            free = FreeMemory.below(root, heap, children, 0);
        }
        assertThat(free.each()).isEqualTo(200 * MB);
        assertThat(children).hasSize(4);
    }

    @Test
    void oneThatIsAboutToStartCountsWhole() throws IOException {
        used(1_000 * MB, 100 * MB);
        assertThat(FreeMemory.below(root, 64 * MB, List.of(), 4).more()).isZero();
        assertThat(FreeMemory.below(root, 64 * MB, List.of(77L), 2).more())
                .as("one of which nothing is known, too")
                .isEqualTo(1);
    }

    @Test
    void oneThatHasTakenMoreThanItShouldCountsAsItIs() throws IOException {
        used(1_000 * MB, 500 * MB);
        process(7, 400 * MB);
        assertThat(FreeMemory.below(root, 64 * MB, List.of(7L), 0).bytes()).isEqualTo(500 * MB);
    }

    @Test
    void whereNothingTellsThereIsNoBound() {
        assertThat(FreeMemory.below(root, 64 * MB, List.of(1L), 3).more()).isPositive();
    }
}
