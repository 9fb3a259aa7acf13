package dev.headgate.internal.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.job.JobStatus.Progress;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UnsavedReportsTest {
    private final UnsavedReports notes = new UnsavedReports();

    @Test
    void onlyTheFirstNewsWakesTheReporter() {
        assertThat(notes.log("a")).isTrue();
        assertThat(notes.log("b")).isFalse();
        assertThat(notes.progress(1, "c")).isFalse();
        notes.take();
        assertThat(notes.isWaiting()).isFalse();
        assertThat(notes.progress(2, "d")).isTrue();
    }

    @Test
    void theNewestProgressAndLinesAreKept() {
        IntStream.range(0, 250).forEach(i -> {
            notes.log("line " + i);
            notes.progress(i % 100, "at " + i);
        });
        UnsavedReports.Batch batch = notes.take();
        assertThat(batch.progress()).isEqualTo(new Progress(49, "at 249"));
        assertThat(batch.lines()).hasSize(201).startsWith("(50 lines before this came too fast to keep)", "line 50");
        assertThat(batch.lines().getLast()).isEqualTo("line 249");
    }

    @Test
    void whatCouldNotBeStoredComesBeforeWhatWasSaidSince() {
        notes.log("a");
        notes.progress(10, "old");
        UnsavedReports.Batch batch = notes.take();
        notes.log("b");
        notes.progress(20, "new");
        notes.putBack(batch);
        assertThat(notes.take()).isEqualTo(new UnsavedReports.Batch(new Progress(20, "new"), List.of("a", "b")));
    }
}
