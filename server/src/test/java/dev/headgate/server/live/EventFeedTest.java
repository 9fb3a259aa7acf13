package dev.headgate.server.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.Headgate;
import dev.headgate.internal.access.OpenStore;
import dev.headgate.job.JobId;
import dev.headgate.spi.Backend;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventFeedTest {
    private static final FeedFilter ALL = new FeedFilter(null, null, null, null);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    private Headgate headgate;
    private Backend backend;

    @BeforeEach
    void open() {
        headgate = Headgate.open("jdbc:sqlite:" + folder.resolve("jobs.db"));
        backend = OpenStore.of(headgate);
    }

    @AfterEach
    void close() {
        headgate.close();
    }

    private JobId ended() {
        JobId id = headgate.enqueueJson("send", "{}", job -> {}).id();
        headgate.cancel(id);
        return id;
    }

    /** What the store is asked from the moment at which so many view until each has seen a job end. */
    private long statements(EventFeed feed, int viewers) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            CountDownLatch there = new CountDownLatch(viewers);
            List<Future<Boolean>> all = new ArrayList<>();
            for (int i = 0; i < viewers; i++) {
                all.add(threads.submit(() -> {
                    try (EventFeed.View view = feed.view(ALL)) {
                        there.countDown();
                        while (true) {
                            List<FeedEvent> news = view.next(PATIENCE);
                            if (news == null || news.isEmpty()) {
                                return false;
                            }
                            if (news.stream().anyMatch(event -> event.kind() == FeedEvent.Kind.JOB)) {
                                return true;
                            }
                        }
                    }
                }));
            }
            there.await();
            long before = backend.statements();
            ended();
            for (Future<Boolean> each : all) {
                assertThat(each.get()).isTrue();
            }
            return backend.statements() - before;
        }
    }

    @Test
    void twoHundredViewersCostTheStoreNoMoreThanOne() throws Exception {
        try (EventFeed feed = new EventFeed(headgate)) {
            long one = statements(feed, 1);
            long many = statements(feed, 200);
            assertThat(one).isPositive();
            // One look or two, as it happens.
            assertThat(many).isLessThan(3 * one);
            assertThat(feed.viewers()).isZero();
        }
    }

    @Test
    void aViewerThatIsTooFarBehindIsTold() throws Exception {
        try (EventFeed feed = new EventFeed(headgate, 3);
                EventFeed.View slow = feed.view(ALL);
                EventFeed.View quick = feed.view(ALL)) {
            int told = 0;
            while (told < 8) {
                ended();
                List<FeedEvent> news = quick.next(PATIENCE);
                assertThat(news).isNotNull();
                told += news.size();
            }
            assertThat(slow.next(Duration.ZERO)).isNull();
        }
    }

    @Test
    void whatEndedWhileThereWasNoViewerIsToldToThoseWhoAskForIt() throws Exception {
        try (EventFeed feed = new EventFeed(headgate)) {
            FeedEvent seen;
            try (EventFeed.View view = feed.view(ALL)) {
                JobId second = ended();
                seen = job(view);
                assertThat(seen.id()).isEqualTo(second.value());
            }
            JobId third = ended();
            try (EventFeed.View view = feed.view(ALL)) {
                // Whether the third is missed or told depends on how long ago it ended; it is one of the two, once.
                List<FeedEvent> missed = new ArrayList<>(view.missed(seen.position()));
                if (missed.isEmpty()) {
                    missed.add(job(view));
                }
                assertThat(missed).extracting(FeedEvent::id).containsExactly(third.value());
            }
        }
    }

    private static FeedEvent job(EventFeed.View view) throws InterruptedException {
        while (true) {
            for (FeedEvent event : view.next(PATIENCE)) {
                if (event.kind() == FeedEvent.Kind.JOB) {
                    return event;
                }
            }
        }
    }
}
