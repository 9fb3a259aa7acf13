package dev.headgate.examples;

import static dev.headgate.limit.Limit.spaced;
import static java.time.Duration.ofSeconds;

import dev.headgate.Headgate;
import dev.headgate.Worker;
import dev.headgate.job.JobType;
import dev.headgate.limiter.CustomLimit;
import dev.headgate.limiter.Denied;
import dev.headgate.limiter.Limiter;
import dev.headgate.limiter.LocalLimiter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** A limit of your own: a worker that renders on as many machines as a licence allows. */
public final class LicenceSeats {
    private LicenceSeats() {}

    record Film(String title) {}

    static final JobType<Film> RENDER = JobType.of("render", Film.class);

    // docs:begin custom-limit
    static final class Seats implements CustomLimit {
        private final List<String> all;
        private final Deque<String> free;

        Seats(List<String> names) {
            this.all = names;
            this.free = new ArrayDeque<>(names);
        }

        @Override
        public Answer tryTake(long cost) {
            String seat = free.poll();
            return seat == null
                    ? Denied.untilRelease("all %d seats are taken".formatted(all.size()))
                    : Taken.place(() -> free.push(seat));
        }

        @Override
        public int available(int max) {
            return Math.min(max, free.size());
        }

        @Override
        public void clear() {
            free.clear();
            free.addAll(all);
        }
    }
    // docs:end

    public static void main(String[] args) throws InterruptedException {
        try (Headgate headgate = Headgate.open(args.length > 0 ? args[0] : "jdbc:sqlite:films.db")) {
            // docs:begin custom-limit-of-a-worker
            LocalLimiter licence = Limiter.inProcess(new Seats(List.of("seat 1", "seat 2")))
                    .add(spaced(100).per(ofSeconds(1)));
            headgate.handle(RENDER, (film, job) -> {
                System.out.println("seats free meanwhile: " + licence.available(10));
            });
            Worker worker = headgate.worker("default").limiter(licence).start();
            // docs:end
            headgate.enqueueAll(RENDER, List.of(new Film("the flood")));
            worker.awaitIdle(ofSeconds(10));
            worker.stop();
            System.out.println(
                    "seats free: " + licence.check(1).map(Denied::reason).orElse("yes"));
        }
    }
}
