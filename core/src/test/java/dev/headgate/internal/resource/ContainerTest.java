package dev.headgate.internal.resource;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** Control groups as files, faked. */
class ContainerTest {
    private static final String MEMINFO = "MemTotal:  1000 kB\nMemFree:  10 kB\nMemAvailable:  400 kB\n";

    @TempDir
    Path root;

    private void file(String path, String text) {
        try {
            Path file = root.resolve(path);
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private Container container() {
        return new Container(root);
    }

    private void versionTwo(String limit) {
        file("proc/self/cgroup", "0::/pod/box\n");
        file("sys/fs/cgroup/pod/box/memory.max", limit + "\n");
        file("sys/fs/cgroup/pod/box/memory.stat", "anon 300\nfile 9999\nkernel 5\n");
    }

    private void versionOne(String limit) {
        file("proc/self/cgroup", "4:memory:/box\n2:cpu,cpuacct:/box\n0::/\n");
        file("sys/fs/cgroup/memory/box/memory.limit_in_bytes", limit + "\n");
        file("sys/fs/cgroup/memory/box/memory.stat", "cache 7777\nrss 1\ntotal_cache 8888\ntotal_rss 250\n");
    }

    @Test
    void versionTwoCountsAnonymousMemoryAndNotThePageCache() {
        versionTwo("1000");
        file("proc/meminfo", MEMINFO);
        assertThat(container().memory()).isEqualTo(new Container.Memory(1000, 300, "cgroup v2"));
    }

    @Test
    void theTightestOfAllLevelsCounts() {
        versionTwo("1000");
        file("sys/fs/cgroup/pod/memory.max", "1200");
        file("sys/fs/cgroup/pod/memory.stat", "anon 1100\n");
        assertThat(container().memory()).isEqualTo(new Container.Memory(1200, 1100, "cgroup v2"));
    }

    @Test
    void aGroupWithoutALimitLeavesItToTheNextSource() {
        versionTwo("max");
        file("proc/meminfo", MEMINFO);
        assertThat(container().memory()).isEqualTo(new Container.Memory(1000 * 1024, 600 * 1024, "/proc/meminfo"));
    }

    @Test
    void versionOneIsAskedNextUnlessItsLimitIsAbsurd() {
        versionOne("2000");
        file("proc/meminfo", MEMINFO);
        assertThat(container().memory()).isEqualTo(new Container.Memory(2000, 250, "cgroup v1"));
        versionOne("9223372036854771712");
        Container.Memory machine = container().memory();
        assertThat(machine).isNotNull();
        assertThat(machine.from()).isEqualTo("/proc/meminfo");
    }

    @Test
    void aContainerThatSeesItsOwnGroupAsTheTopIsFoundToo() {
        file("proc/self/cgroup", "0::/outside/name/of/it\n");
        file("sys/fs/cgroup/memory.max", "1000");
        file("sys/fs/cgroup/memory.stat", "anon 1\n");
        assertThat(container().memory()).isEqualTo(new Container.Memory(1000, 1, "cgroup v2"));
    }

    @Test
    void unreadableFilesLeaveItToTheNextSource() throws IOException {
        versionTwo("a lot");
        Files.createDirectories(root.resolve("sys/fs/cgroup/memory/memory.limit_in_bytes"));
        file("proc/meminfo", MEMINFO);
        Container container = container();
        for (int i = 0; i < 2; i++) {
            Container.Memory machine = container.memory();
            assertThat(machine).isNotNull();
            assertThat(machine.from()).isEqualTo("/proc/meminfo");
        }
    }

    /** A supervisor looks every second, each time anew. */
    @Test
    @ResourceLock(Resources.SYSTEM_ERR)
    void aFileThatCannotBeReadIsReportedOnce() {
        versionTwo("a lot");
        file("proc/meminfo", MEMINFO);
        PrintStream before = System.err;
        ByteArrayOutputStream logged = new ByteArrayOutputStream();
        System.setErr(new PrintStream(logged, true, StandardCharsets.UTF_8));
        try {
            for (int look = 0; look < 3; look++) {
                assertThat(FreeMemory.below(root, 1, List.of(), 0).bytes()).isLessThan(Long.MAX_VALUE);
            }
        } finally {
            System.setErr(before);
        }
        assertThat(logged.toString(StandardCharsets.UTF_8).lines().filter(line -> line.contains("got 'a lot'")))
                .singleElement()
                .asString()
                .contains("(said once)");
    }

    @Test
    void whereNothingTellsTheCheckIsSkipped() {
        assertThat(container().memory()).isNull();
        assertThat(container().cpuMillis()).isNull();
        assertThat(MemorySource.ceiling(800, 100, null)).isEqualTo(800);
    }

    @Test
    void theShareOfTheProcessorIsReadFromEitherVersion() {
        versionTwo("max");
        file("sys/fs/cgroup/pod/box/cpu.max", "50000 100000\n");
        file("sys/fs/cgroup/pod/cpu.max", "max 100000\n");
        assertThat(container().cpuMillis()).isEqualTo(500);
        versionOne("2000");
        file("sys/fs/cgroup/cpu/box/cpu.cfs_quota_us", "250000");
        file("sys/fs/cgroup/cpu/box/cpu.cfs_period_us", "100000");
        assertThat(container().cpuMillis()).isEqualTo(2500);
    }

    @Test
    void theHeapGrowsNoFurtherThanTheContainerLets() {
        Container.Memory outside = new Container.Memory(1000, 700, "test");
        assertThat(MemorySource.ceiling(2000, 100, outside)).isEqualTo(400);
        assertThat(MemorySource.ceiling(2000, 900, outside)).isEqualTo(1200);
        assertThat(MemorySource.ceiling(300, 100, outside)).isEqualTo(300);
    }
}
