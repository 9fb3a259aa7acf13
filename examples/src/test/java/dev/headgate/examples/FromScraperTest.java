package dev.headgate.examples;

import static dev.headgate.limit.Limit.rate;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.Headgate;
import dev.headgate.handler.HandlerOptions;
import dev.headgate.handler.PermanentFailure;
import dev.headgate.handler.RetryPolicy;
import dev.headgate.job.JobId;
import dev.headgate.job.JobType;
import dev.headgate.job.Unmet;
import dev.headgate.run.RunId;
import dev.headgate.run.RunState;
import dev.headgate.testkit.TestHeadgate;
import dev.headgate.testkit.junit.HeadgateExtension;
import dev.headgate.workflow.Step;
import dev.headgate.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The examples of scraper's documentation, written for Headgate. */
@ExtendWith(HeadgateExtension.class)
class FromScraperTest {
    // docs:begin scraper-job
    record Hello(String message) {}

    record Echo(String echoed) {}

    static final JobType<Hello> HELLO = JobType.of("hello/echo", Hello.class);
    // docs:end

    record Url(String url) {}

    record Links(List<String> links) {}

    record Crawl(String start, List<String> pages, int words) {
        Crawl linked(Links found) {
            return new Crawl(start, found.links(), words);
        }

        Crawl counted(List<Integer> counts) {
            return new Crawl(
                    start, pages, counts.stream().mapToInt(Integer::intValue).sum());
        }
    }

    static final JobType<Url> FETCH = JobType.of("fetch", Url.class);
    static final JobType<Url> EXTRACT = JobType.of("extract", Url.class);

    final List<String> fetched = new ArrayList<>();

    @Test
    void helloWorkflow(TestHeadgate test) {
        Headgate headgate = test.headgate();
        // docs:begin scraper-hello
        headgate.handleWithResult(HELLO, (hello, job) -> {
            if (hello.message().isEmpty()) {
                throw new PermanentFailure("message is required");
            }
            return new Echo(hello.message());
        });
        headgate.worker("default").slots(2).lease(ofSeconds(30)).start();
        JobId id = headgate.enqueue(HELLO, new Hello("hello workflow"), job -> job.dedup("hello-run-1"))
                .id();
        // docs:end
        JobId empty = headgate.enqueue(HELLO, new Hello("")).id();
        test.run();
        test.assertThat(id).hasResult(new Echo("hello workflow"));
        test.assertThat(empty).hasFailed().hasAttempts(1);
    }

    @Test
    void aQueuePolicy(TestHeadgate test) {
        Headgate headgate = test.headgate();
        headgate.handle(FETCH, (page, job) -> fetched.add(page.url()));
        headgate.worker("site:example:http").start();
        // docs:begin scraper-policy
        headgate.policies()
                .queue(
                        "site:example:http",
                        queue -> queue.maxInFlight(2)
                                .limit(rate(1).per(ofSeconds(1)).burst(2)));
        for (int page = 1; page <= 5; page++) {
            headgate.enqueue(FETCH, new Url("/page/" + page), job -> job.queue("site:example:http"));
        }
        // docs:end
        test.run();
        assertThat(fetched).as("the burst").hasSize(2);
        test.runFor(ofMillis(999));
        assertThat(fetched).hasSize(2);
        test.runFor(ofMillis(1));
        assertThat(fetched).hasSize(3);
    }

    @Test
    void retries(TestHeadgate test) {
        Headgate headgate = test.headgate();
        // docs:begin scraper-retry
        headgate.handle(
                FETCH,
                (page, job) -> {
                    if (page.url().equals("/gone")) {
                        throw new PermanentFailure("404"); // everything else is retried
                    }
                    throw new IllegalStateException("503");
                },
                HandlerOptions.DEFAULT
                        .attempts(3)
                        .retry(RetryPolicy.exponential(ofSeconds(1)).max(ofSeconds(10))));
        // docs:end
        headgate.worker("default").start();
        JobId gone = headgate.enqueue(FETCH, new Url("/gone")).id();
        JobId busy = headgate.enqueue(FETCH, new Url("/busy")).id();
        test.runFor(ofSeconds(3));
        test.assertThat(gone).hasFailed().hasAttempts(1);
        test.assertThat(busy).hasFailed().hasAttempts(3);
    }

    @Test
    void dependencies(TestHeadgate test) {
        Headgate headgate = test.headgate();
        // docs:begin scraper-dependencies
        headgate.handleWithResult(FETCH, (page, job) -> {
            if (page.url().equals("/optional")) {
                throw new IllegalStateException("503");
            }
            return "<html>" + page.url() + "</html>";
        });
        headgate.handleWithResult(EXTRACT, (page, job) -> {
            List<String> pages = job.childResults(String.class);
            return pages.size() + " pages";
        });
        JobId extract = headgate.enqueue(
                        EXTRACT,
                        new Url("/"),
                        job -> job.child(FETCH, new Url("/required"))
                                .child(Unmet.IGNORE, FETCH, new Url("/optional"), page -> page.attempts(1)))
                .id();
        // docs:end
        headgate.worker("default").start();
        test.run();
        test.assertThat(extract).hasResult("1 pages");
    }

    @Test
    void aGraphThatGrows(TestHeadgate test) {
        Headgate headgate = test.headgate();
        // docs:begin scraper-crawl
        Workflow<Crawl, Crawl> crawl = Workflow.named("crawl", 1, Crawl.class)
                .then("list", (state, step) -> state.linked(links(state.start())), s -> s.gate("example.com"))
                .forEach("detail", Crawl::pages, String.class, Integer.class, this::detail)
                .reduce(Crawl::counted)
                .budget(b -> b.maxFanOutItems(50))
                .build();
        headgate.workflows().register(crawl);
        RunId run = headgate.workflows()
                .start(crawl, new Crawl("/", List.of(), 0), options -> options.key("crawl of today"))
                .id();
        // docs:end
        headgate.worker("default").start();
        test.run();
        assertThat(headgate.workflows().status(run).state()).isEqualTo(RunState.SUCCEEDED);
        assertThat(headgate.workflows().result(run, crawl).words()).isEqualTo(4);
        assertThat(fetched).hasSize(2);
    }

    private Links links(String url) {
        return new Links(List.of(url + "a", url + "b"));
    }

    private int detail(String url, Step step) {
        fetched.add(url);
        step.artifact("page.html", "<html>" + url + "</html>");
        return url.length();
    }
}
