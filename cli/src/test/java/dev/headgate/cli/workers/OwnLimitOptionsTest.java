package dev.headgate.cli.workers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.Headgate;
import dev.headgate.Worker;
import dev.headgate.resource.Capacity;
import dev.headgate.resource.Needs;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** What a worker tells the store about itself shows which of its options have arrived. */
class OwnLimitOptionsTest {
    @TempDir
    Path folder;

    @Command(name = "own")
    static final class Own {
        @Mixin
        OwnLimitOptions options = new OwnLimitOptions();
    }

    private Capacity room(String... arguments) {
        Own own = new Own();
        new CommandLine(own).parseArgs(arguments);
        own.options.check();
        try (Headgate headgate = Headgate.open("jdbc:sqlite:" + folder.resolve("own.db"));
                Worker worker = own.options.on(headgate.worker("default")).start()) {
            return headgate.overview().workers().stream()
                    .filter(each -> each.id().equals(worker.id()))
                    .findFirst()
                    .orElseThrow()
                    .room();
        }
    }

    @Test
    void itMindsTheHeapUnlessToldOtherwise() {
        long heap = Runtime.getRuntime().maxMemory();
        assertThat(room().level(Needs.MEMORY).whole()).isBetween(1L, heap - heap / 8 + 8);
        assertThat(room("--ignore-room").isTold()).isFalse();
        assertThat(room("--memory", "3 MB").level(Needs.MEMORY).whole()).isEqualTo(3L << 20);
        assertThat(room("--memory", "512k").level(Needs.MEMORY).whole()).isEqualTo(512L << 10);
    }

    @Test
    void aMarginIsKeptFreeOfJobs() {
        long without = room("--margin", "1MB").level(Needs.MEMORY).whole();
        assertThat(room("--margin", "11mb").level(Needs.MEMORY).whole()).isEqualTo(without - (10L << 20));
    }

    @Test
    void ofOtherResourcesThereIsAsMuchAsWasSaid() {
        Capacity room = room("--amount", "gpu=2", "--amount", "licence=7");
        assertThat(room.level("gpu").whole()).isEqualTo(2);
        assertThat(room.level("licence").free()).isEqualTo(7);
    }
}
