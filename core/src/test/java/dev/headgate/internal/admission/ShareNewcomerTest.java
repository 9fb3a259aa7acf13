package dev.headgate.internal.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.limit.FairShare;
import dev.headgate.limit.FairShare.Charge;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A share by time whose jobs are long comes to slots that are busy with short ones, and takes its part of them, not all. */
class ShareNewcomerTest {
    private static final long MILLI = 1_000;
    private static final String SHORT = "short";
    private static final String LONG = "long";

    private record Running(String share, long startedAt, long endsAt) {}

    /** Two shares that never run out of work, at slots that are always full. */
    private static final class World {
        private final Random random;
        private final Map<String, Long> lengths = new HashMap<>();
        private final Map<String, Integer> running = new HashMap<>();
        private final Map<String, Long> got = new HashMap<>();
        private final PriorityQueue<Running> ends = new PriorityQueue<>(Comparator.comparingLong(Running::endsAt));
        private final List<String> waiting = new ArrayList<>();
        private Shares shares = new Shares(new FairShare("t:*", Charge.TIME), 0, 0, key -> 1);
        private long now = 1_000_000_000;
        private int slots;
        private double mostOfLong;

        World(long seed, int slots) {
            this.random = new Random(seed);
            this.slots = slots;
        }

        void come(String share, long millis) {
            lengths.put(share, millis * MILLI);
            waiting.add(share);
            shares.at(now);
            shares.level();
            shares.stand(share, waiting.size());
        }

        void run(long millis) {
            long until = now + millis * MILLI;
            while (now < until) {
                fill();
                Running first = ends.remove();
                now = first.endsAt;
                storeAndRead();
                shares.ended(first.share, first.endsAt - first.startedAt);
                running.merge(first.share, -1, Integer::sum);
                got.merge(first.share, first.endsAt - first.startedAt, Long::sum);
            }
        }

        private void fill() {
            while (ends.size() < slots) {
                String next = waiting.stream()
                        .min((one, other) -> shares.compare(one, 0, other, 0))
                        .orElseThrow();
                shares.passOver(next);
                shares.start(next, 1);
                running.merge(next, 1, Integer::sum);
                long length = lengths.get(next) * random.nextInt(70, 131) / 100;
                ends.add(new Running(next, now, now + length));
            }
            if (waiting.contains(LONG)) {
                mostOfLong = Math.max(mostOfLong, running.getOrDefault(LONG, 0) / (double) slots);
            }
        }

        /** Of the time of all jobs that have ended, and of those that run as far as they have. */
        double partOf(String share) {
            Map<String, Long> all = new HashMap<>(got);
            ends.forEach(each -> all.merge(each.share, now - each.startedAt, Long::sum));
            return all.get(share)
                    / (double) all.values().stream().mapToLong(each -> each).sum();
        }

        /** As the next turn of a worker does. */
        private void storeAndRead() {
            Shares read = new Shares(shares.rule(), shares.virtual(), shares.usual(), key -> 1);
            shares.keys().forEach(key -> read.restore(key, shares.share(key)));
            read.at(now);
            shares = read;
        }
    }

    @Test
    void longJobsThatComeLaterLeaveTheOthersTheirPart() {
        for (int slots : new int[] {10, 20, 50}) {
            for (long seed = 1; seed <= 5; seed++) {
                World world = new World(seed, slots);
                world.come(SHORT, 30);
                world.run(1_000);
                world.come(LONG, 12_000);
                world.run(300_000);
                String where = "seed %d, %d slots".formatted(seed, slots);
                assertThat(world.mostOfLong).as(where).isBetween(0.5, 0.7);
                assertThat(world.partOf(LONG)).as(where).isBetween(0.46, 0.54);
            }
        }
    }

    @Test
    void longJobsDoNotTakeAllTheSlotsThatAWorkerBrings() {
        for (long seed = 1; seed <= 20; seed++) {
            World world = new World(seed, 10);
            world.come(SHORT, 30);
            world.run(1_000);
            world.come(LONG, 12_000);
            world.run(1_000 * seed);
            world.slots = 20;
            world.run(60_000);
            assertThat(world.mostOfLong).as("seed %d", seed).isBetween(0.5, 0.7);
        }
    }
}
