package dev.headgate.examples;

import static dev.headgate.limit.Limit.concurrency;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import dev.headgate.Headgate;
import dev.headgate.run.RunId;
import dev.headgate.run.RunStatus;
import dev.headgate.workflow.Step;
import dev.headgate.workflow.StepOptions;
import dev.headgate.workflow.Workflow;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A crawler: fetches a page, then all pages it links to, and so on, with one gate for each host and each page once. What it
 * has found is kept with the run. Kill it and start it again: it goes on where it was.
 */
public final class SiteCrawler {
    /** Short, so that a run goes on soon after a kill; the default of 30 seconds suits most programs better. */
    private static final Duration LEASE = ofSeconds(2);

    private static final Pattern TITLE = Pattern.compile("<title>([^<]*)</title>");
    private static final Pattern LINK = Pattern.compile("href=\"([^\"]*)\"");

    private final HttpClient http = HttpClient.newHttpClient();
    private final FixtureSite site;

    SiteCrawler(FixtureSite site) {
        this.site = site;
    }

    record Page(String url, int status, String title, List<String> links) {}

    record Crawl(List<String> frontier, List<Page> pages) {
        static Crawl from(String start) {
            return new Crawl(List.of(start), List.of());
        }

        /** What was fetched, and what is still to be fetched because of it. */
        Crawl fetched(List<Page> more) {
            List<Page> all = new ArrayList<>(pages);
            all.addAll(more);
            TreeSet<String> next = new TreeSet<>();
            more.forEach(page -> next.addAll(page.links()));
            all.forEach(page -> next.remove(page.url()));
            return new Crawl(List.copyOf(next), all);
        }
    }

    // docs:begin crawl
    Workflow<Crawl, Crawl> crawl() {
        return Workflow.named("crawl", 1, Crawl.class)
                .repeatWhile(
                        "waves",
                        crawl -> !crawl.frontier().isEmpty(),
                        wave -> wave.forEach(
                                        "fetch", Crawl::frontier, String.class, Page.class, this::fetch, this::polite)
                                .reduce(Crawl::fetched))
                .then("index", this::index)
                .build();
    }

    private void polite(String url, StepOptions step) {
        step.gate("host:" + URI.create(url).getHost());
    }
    // docs:end

    private Page fetch(String url, Step step) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(site.locate(url)).build();
        HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
        Matcher title = TITLE.matcher(answer.body());
        List<String> links = LINK.matcher(answer.body())
                .results()
                .map(link -> URI.create(url).resolve(link.group(1)).toString())
                .distinct()
                .toList();
        step.artifact(url, "%d\n%s".formatted(answer.statusCode(), answer.body()));
        return new Page(url, answer.statusCode(), title.find() ? title.group(1) : "", links);
    }

    private Crawl index(Crawl crawl, Step step) {
        StringBuilder index = new StringBuilder();
        crawl.pages().forEach(page -> index.append("%d %s %s\n".formatted(page.status(), page.url(), page.title())));
        step.artifact("index.txt", index.toString());
        return crawl;
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        try (FixtureSite site = new FixtureSite();
                Headgate headgate = Headgate.open(args.length > 0 ? args[0] : "jdbc:sqlite:crawl.db")) {
            headgate.policies().gate("host:*", gate -> gate.limit(concurrency(2)));
            Workflow<Crawl, Crawl> crawl = new SiteCrawler(site).crawl();
            headgate.workflows().register(crawl);
            RunId id = headgate.workflows()
                    .start(
                            crawl,
                            Crawl.from(FixtureSite.START),
                            run -> run.key(FixtureSite.START)
                                    .budget(budget -> budget.maxFanOutItems(50)
                                            .maxCostUnits(100)
                                            .maxAttempts(100)
                                            .maxTransitions(100)
                                            .maxWallTime(ofMinutes(30))))
                    .id();
            System.out.println("runs [%s]".formatted(id));
            headgate.worker("default").name("crawler").slots(8).lease(LEASE).start();
            RunStatus ended = headgate.workflows().await(id, ofMinutes(2)).orElseThrow();
            Crawl found = headgate.workflows().result(id, crawl);
            System.out.println("%d pages, %d artifacts"
                    .formatted(
                            found.pages().size(),
                            headgate.workflows().artifacts(id).size()));
            System.out.print(headgate.workflows().findArtifact(id, "index.txt").orElseThrow());
            System.out.println(site.summary());
            BudgetSummary.print("the crawl", ended);
        }
    }
}
