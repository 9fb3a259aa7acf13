package dev.headgate.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.Headgate;
import dev.headgate.JsonJob;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.Signals;
import dev.headgate.cli.top.StoreReader.News;
import dev.headgate.job.JobId;
import dev.headgate.limit.Limit;
import dev.headgate.limit.Pause;
import dev.headgate.spi.Backend;
import dev.headgate.sqlite.SqliteProvider;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What one refresh asks of the store, and what is told if the store has no answer. */
class StoreReaderTest {
    /** Statements of one refresh, however much is stored. */
    private static final long STATEMENTS_MAX = 32;

    @TempDir
    Path folder;

    private final BlockingQueue<News> told = new LinkedBlockingQueue<>();

    private String url() {
        return "jdbc:sqlite:" + folder.resolve("jobs.db");
    }

    private StoreReader reader(Headgate headgate, Duration every) {
        CommandContext shell = new CommandContext(
                new PrintWriter(Writer.nullWriter()),
                new PrintWriter(Writer.nullWriter()),
                InputStream.nullInputStream(),
                Map.of("HEADGATE_STORE", url()),
                Signals.NONE);
        return new StoreReader(shell, headgate, every, new StoreReader.Signature("ada", "a test"), told::add);
    }

    private News next() throws InterruptedException {
        News news = told.poll(60, TimeUnit.SECONDS);
        assertThat(news).as("expected some news").isNotNull();
        return news;
    }

    private static long statements(Backend store, Headgate headgate) {
        long before = store.statements();
        Reading.of(headgate);
        return store.statements() - before;
    }

    @Test
    void aRefreshSendsFewStatementsHoweverMuchIsStored() {
        try (Backend store = new SqliteProvider().open(url());
                Headgate headgate = Headgate.open(store)) {
            headgate.policies().gate("api", gate -> gate.limit(Limit.concurrency(1)));
            headgate.policies().gate("tenant:*", gate -> gate.limit(Limit.concurrency(1)));
            for (int queue = 0; queue < 3; queue++) {
                String name = "queue-" + queue;
                headgate.enqueueJson("noop", "{}", job -> job.queue(name).gate("tenant:" + name));
            }
            assertThat(statements(store, headgate)).isBetween(5L, STATEMENTS_MAX);
            for (int queue = 0; queue < 30; queue++) {
                String name = "queue-" + queue;
                headgate.enqueueAllJson(IntStream.range(0, 400)
                        .mapToObj(i -> new JsonJob(
                                "noop", "{}", job -> job.queue(name).gate("api").gate("tenant:" + i)))
                        .toList());
            }
            assertThat(statements(store, headgate)).isBetween(5L, STATEMENTS_MAX);
        }
    }

    @Test
    void aReadingThatTakesLongIsRepeatedLessOften() {
        assertThat(StoreReader.rest(Duration.ofSeconds(2), TimeUnit.MILLISECONDS.toNanos(3)))
                .isEqualTo(TimeUnit.SECONDS.toNanos(2));
        assertThat(StoreReader.rest(Duration.ofSeconds(2), TimeUnit.SECONDS.toNanos(3)))
                .isEqualTo(TimeUnit.SECONDS.toNanos(30));
    }

    @Test
    void aStoreThatGoesAwayIsToldAndAskedAgain() throws InterruptedException {
        Headgate headgate = Headgate.open(url());
        StoreReader reader = reader(headgate, Duration.ofMillis(1));
        reader.start();
        assertThat(next()).isInstanceOf(News.Read.class);
        headgate.close();
        int failures = 0;
        while (failures < 2) {
            if (next() instanceof News.Said said) {
                assertThat(said.words()).endsWith("this is the last picture");
                failures++;
            }
        }
    }

    @Test
    void whatTheKeysWantIsDoneAndAPictureFollows() throws InterruptedException {
        try (Headgate headgate = Headgate.open(url())) {
            JobId id =
                    headgate.enqueueJson("noop", "{}", job -> job.queue("mail")).id();
            StoreReader reader = reader(headgate, Duration.ofHours(1));
            reader.start();
            assertThat(next()).isInstanceOf(News.Read.class);
            reader.wish(new View.Wish.Explain(id));
            assertThat(((News.Text) next()).lines().getFirst()).startsWith("job 1: waiting");
            assertThat(next()).isInstanceOf(News.Read.class);
            reader.wish(new View.Wish.Explain(JobId.of(99)));
            assertThat(((News.Said) next()).words()).contains("99");
            assertThat(next()).isInstanceOf(News.Read.class);
            Pause mail = Pause.queue("mail");
            reader.wish(new View.Wish.Switch(mail, false));
            assertThat(((News.Said) next()).words()).isEqualTo("queue mail: paused; what runs goes on");
            Reading paused = ((News.Read) next()).reading();
            assertThat(paused.paused()).singleElement().satisfies(each -> {
                assertThat(each.what()).isEqualTo(mail);
                assertThat(each.author()).isEqualTo("ada");
                assertThat(each.reason()).isEqualTo("a test");
            });
            reader.wish(new View.Wish.Switch(mail, true));
            assertThat(((News.Said) next()).words()).isEqualTo("queue mail: resumed");
            assertThat(((News.Read) next()).reading().paused()).isEqualTo(List.of());
        }
    }
}
