package dev.headgate.examples;

import static java.time.Duration.ofSeconds;

import dev.headgate.Enqueued;
import dev.headgate.Headgate;
import dev.headgate.handler.PermanentFailure;
import dev.headgate.job.JobId;
import dev.headgate.job.JobType;
import dev.headgate.job.Unmet;
import java.util.List;

/** Jobs that wait for jobs: one after another, a parent with its children, and a graph by names. */
public final class WaitForOthers {
    private WaitForOthers() {}

    record Page(String site, int number) {}

    record Index(String site) {}

    record Step(String name) {}

    static final JobType<Page> FETCH = JobType.of("fetch-page", Page.class);
    static final JobType<Index> INDEX = JobType.of("build-index", Index.class);
    static final JobType<Step> STEP = JobType.of("step", Step.class);

    public static void main(String[] args) throws InterruptedException {
        try (Headgate headgate = Headgate.open(args.length > 0 ? args[0] : "jdbc:sqlite:waiting.db")) {
            headgate.handleWithResult(FETCH, (page, job) -> {
                if (page.number() == 404) {
                    throw new PermanentFailure("no such page");
                }
                return "page %d of %s".formatted(page.number(), page.site());
            });
            handleIndex(headgate);
            headgate.handle(STEP, (step, job) -> System.out.println(step.name()));
            JobId index = tree(headgate);
            System.out.println(headgate.explain(index));
            JobId told = after(headgate, index);
            headgate.worker("default").start();
            headgate.await(told, ofSeconds(10));
            System.out.println(headgate.result(index, String.class).orElseThrow());
            headgate.await(graph(headgate).getFirst().id(), ofSeconds(10));
        }
    }

    private static JobId after(Headgate headgate, JobId index) {
        // docs:begin after
        JobId told = headgate.enqueue(STEP, new Step("tell the editors"), job -> job.after(index))
                .id();
        headgate.enqueue(STEP, new Step("clean up"), job -> job.afterEnd(index, told));
        // docs:end
        return told;
    }

    private static JobId tree(Headgate headgate) {
        // docs:begin tree
        JobId index = headgate.enqueue(
                        INDEX,
                        new Index("example.com"),
                        job -> job.child(FETCH, new Page("example.com", 1))
                                .child(FETCH, new Page("example.com", 2), page -> page.gate("example.com"))
                                .child(Unmet.IGNORE, FETCH, new Page("example.com", 404), page -> {}))
                .id();
        // docs:end
        return index;
    }

    private static void handleIndex(Headgate headgate) {
        // docs:begin results
        headgate.handleWithResult(INDEX, (index, job) -> {
            List<String> pages = job.childResults(String.class);
            int missing = job.children().size() - pages.size();
            return "%s, and %d missing".formatted(String.join(", ", pages), missing);
        });
        // docs:end
    }

    private static List<Enqueued> graph(Headgate headgate) {
        // docs:begin graph
        List<Enqueued> steps = headgate.enqueueAll(
                STEP, List.of(new Step("publish"), new Step("draft"), new Step("review")), (step, job) -> {
                    job.as(step.name());
                    switch (step.name()) {
                        case "publish" -> job.after("draft", "review");
                        case "review" -> job.after("draft");
                        default -> {}
                    }
                });
        // docs:end
        return steps;
    }
}
