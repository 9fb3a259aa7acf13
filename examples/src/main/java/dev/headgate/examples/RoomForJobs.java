package dev.headgate.examples;

import static dev.headgate.resource.Needs.mb;
import static java.time.Duration.ofSeconds;

import dev.headgate.Headgate;
import dev.headgate.Worker;
import dev.headgate.handler.HandlerOptions;
import dev.headgate.job.JobId;
import dev.headgate.job.JobType;
import dev.headgate.resource.Headroom;
import dev.headgate.resource.Needs;
import dev.headgate.run.RunId;
import dev.headgate.workflow.Workflow;

/** A worker that starts only what its machine has room for, and leaves the rest to others. */
public final class RoomForJobs {
    private RoomForJobs() {}

    record Film(String title, String studio) {}

    static final JobType<Film> RENDER = JobType.of("render", Film.class);

    // docs:begin declare-step-needs
    static final Workflow<Film, Film> CUT = Workflow.named("cut", 1, Film.class)
            .then("proxy", (film, step) -> proxy(film), s -> s.needs(Needs.memory(mb(8))))
            .then(
                    "render",
                    (film, step) -> render(film),
                    s -> s.needs(Needs.of("gpu", 1)).expected(ofSeconds(20)),
                    (film, s) -> s.gate("studio:" + film.studio()))
            .build();
    // docs:end

    public static void main(String[] args) throws InterruptedException {
        try (Headgate headgate = Headgate.open(args.length > 0 ? args[0] : "jdbc:sqlite:films.db")) {
            // docs:begin declare-needs
            Needs needs = Needs.memory(mb(8)).and("gpu", 1);
            headgate.handle(
                    RENDER,
                    (film, job) -> System.out.println("rendered " + film.title()),
                    HandlerOptions.DEFAULT.needs(needs).expected(ofSeconds(20)));
            // docs:end
            JobId id = headgate.enqueue(RENDER, new Film("the flood", "north")).id();
            try (Worker plain = headgate.worker("default").start()) {
                plain.awaitIdle(ofSeconds(10));
                System.out.println(headgate.explain(id).summary().replace(plain.id(), "W"));
            }
            headgate.workflows().register(CUT);
            // docs:begin headroom
            Worker worker = headgate.worker("default")
                    .slots(64)
                    .headroom(Headroom.system().amount("gpu", 2).gauge("scratch-mb", RoomForJobs::freeScratch))
                    .start();
            // docs:end
            headgate.await(id, ofSeconds(10));
            RunId cut = headgate.workflows()
                    .start(CUT, new Film("the drought", "south"))
                    .id();
            System.out.println(
                    headgate.workflows().await(cut, ofSeconds(10)).orElseThrow().state());
            worker.stop();
        }
    }

    private static Film proxy(Film film) {
        return film;
    }

    private static Film render(Film film) {
        System.out.println("rendered " + film.title());
        return film;
    }

    private static long freeScratch() {
        return 500;
    }
}
