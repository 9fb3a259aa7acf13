package dev.headgate.examples;

import static java.time.Duration.ofSeconds;

import dev.headgate.Headgate;
import dev.headgate.Schedules;
import dev.headgate.job.JobType;
import dev.headgate.schedule.Missed;
import dev.headgate.schedule.Overlap;
import dev.headgate.schedule.Schedule;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Schedules: by the calendar of a zone, at equal distances, and once. */
public final class WorkThatRecurs {
    private WorkThatRecurs() {}

    record Report(String scope) {}

    record Poll(String feed) {}

    static final JobType<Report> REPORT = JobType.of("report", Report.class);
    static final JobType<Poll> POLL = JobType.of("poll", Poll.class);

    public static void main(String[] args) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        try (Headgate headgate = Headgate.open(args.length > 0 ? args[0] : "jdbc:sqlite:recurring.db")) {
            // docs:begin instant
            headgate.handle(REPORT, (report, job) -> {
                Instant day = job.scheduledFor().orElseThrow();
                System.out.printf("report on %s for %s%n", report.scope(), day);
                done.countDown();
            });
            // docs:end
            headgate.handle(POLL, (poll, job) -> {});
            put(headgate.schedules());
            headgate.worker("default", "feeds").start();
            done.await(10, TimeUnit.SECONDS);
            edit(headgate.schedules());
            // docs:begin next
            Schedule halfPastTwo = Schedule.cron("30 2 * * *", "Europe/Berlin");
            halfPastTwo
                    .next(Instant.parse("2026-03-28T12:00:00Z"), 2) // clocks go forward that night
                    .forEach(System.out::println);
            // docs:end
        }
    }

    private static void put(Schedules schedules) {
        // docs:begin put
        Schedule nightly = Schedule.cron("0 3 * * *", "Europe/Berlin");
        schedules.put("nightly", nightly, REPORT, new Report("sales"));

        Schedule often = Schedule.every(ofSeconds(30)).missed(Missed.SKIP).overlap(Overlap.SKIP);
        schedules.put(
                "poll",
                often,
                POLL,
                new Poll("prices"),
                job -> job.queue("feeds").gate("partner").attempts(2));

        Schedule once = Schedule.once(Instant.parse("2026-01-01T09:00:00Z"));
        schedules.put("opening", once, REPORT, new Report("all"));
        // docs:end
    }

    private static void edit(Schedules schedules) {
        // docs:begin edit
        schedules.edit("poll", edit -> edit.schedule(poll -> poll.overlap(Overlap.BUFFER)));
        schedules.edit("poll", edit -> edit.job(job -> job.priority(5)).payload(new Poll("stock")));
        schedules.pause("poll");
        // docs:end
    }
}
