package dev.headgate.internal.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.limit.FairShare;
import dev.headgate.limit.FairShare.Charge;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The law of shares by time: over any interval in which two shares both wait, the time they got by their weights differs by
 * at most what each has running at once, each job counted with the greatest length of its share and the greatest of all,
 * because what runs counts as long as jobs usually are. Many run at once, lengths are from a millisecond to minutes, shares go and come back, and what is stored is read again.
 */
class ShareTimeLawTest {
    private static final long MILLI = 1_000;

    /** How long jobs are. */
    private enum Lengths {
        ONE_FOR_EACH_SHARE,
        ANY,
        MOSTLY_SHORT
    }

    private record Running(Tenant tenant, long startedAt, long endsAt) {}

    private static final class Tenant {
        final String name;
        final int weight;
        final long usual;
        boolean isWaiting;
        long ended;
        long running;
        long sumOfStarts;
        long mostAtOnce;
        long greatest;

        Tenant(String name, Random random) {
            this.name = name;
            this.weight = random.nextInt(1, 8);
            this.usual = anyLength(random);
        }

        double got(long now) {
            return (ended + running * now - sumOfStarts) / (double) weight;
        }

        double bound(long greatestOfAll) {
            return mostAtOnce * (greatest + greatestOfAll) / (double) weight;
        }
    }

    /** The least and the greatest difference of two shares since both have been waiting. */
    private static final class Pair {
        final Tenant one;
        final Tenant other;
        boolean isOpen;
        double least;
        double most;
        double widest;

        Pair(Tenant one, Tenant other) {
            this.one = one;
            this.other = other;
        }

        void look(long now) {
            boolean isBoth = one.isWaiting && other.isWaiting;
            double difference = one.got(now) - other.got(now);
            if (isBoth && !isOpen) {
                least = difference;
                most = difference;
            }
            isOpen = isBoth;
            if (isBoth) {
                least = Math.min(least, difference);
                most = Math.max(most, difference);
                widest = Math.max(widest, most - least);
            }
        }
    }

    private static long anyLength(Random random) {
        return (long) (MILLI * Math.exp(random.nextDouble() * Math.log(120_000)));
    }

    @Test
    void overAnyIntervalTwoWaitingSharesDifferByWhatRunsAtOnce() {
        for (long seed = 1; seed <= 300; seed++) {
            Random random = new Random(seed);
            new World(random, Lengths.values()[(int) (seed % 3)], seed % 2 == 0).run(2_000, seed);
        }
    }

    private static final class World {
        private final Random random;
        private final Lengths lengths;
        private final boolean isComingAndGoing;
        private final int slots;
        private final List<Tenant> tenants = new ArrayList<>();
        private final List<Pair> pairs = new ArrayList<>();
        private final PriorityQueue<Running> running = new PriorityQueue<>(Comparator.comparingLong(Running::endsAt));
        private Shares shares;
        private long now = 1_000_000_000;

        World(Random random, Lengths lengths, boolean isComingAndGoing) {
            this.random = random;
            this.lengths = lengths;
            this.isComingAndGoing = isComingAndGoing;
            this.slots = random.nextInt(1, 51);
            int count = random.nextInt(2, 7);
            for (int i = 0; i < count; i++) {
                tenants.add(new Tenant("t:" + i, random));
            }
            for (int i = 0; i < count; i++) {
                for (int j = i + 1; j < count; j++) {
                    pairs.add(new Pair(tenants.get(i), tenants.get(j)));
                }
            }
            this.shares = shares(0, 0);
        }

        private Shares shares(long virtual, long usual) {
            return new Shares(
                    new FairShare("t:*", Charge.TIME),
                    virtual,
                    usual,
                    key -> tenants.get(Integer.parseInt(key.substring(2))).weight);
        }

        void run(int events, long seed) {
            shares.at(now);
            tenants.forEach(this::come);
            for (int i = 0; i < events; i++) {
                if (isComingAndGoing && random.nextInt(20) == 0) {
                    turn(tenants.get(random.nextInt(tenants.size())));
                }
                if (random.nextInt(10) == 0) {
                    storeAndRead();
                }
                pairs.forEach(pair -> pair.look(now));
                fillSlots();
                pairs.forEach(pair -> pair.look(now));
                endNext();
                pairs.forEach(pair -> pair.look(now));
            }
            long greatest =
                    tenants.stream().mapToLong(each -> each.greatest).max().orElseThrow();
            for (Pair pair : pairs) {
                assertThat(pair.widest)
                        .as("seed %d, %s and %s, %d slots", seed, pair.one.name, pair.other.name, slots)
                        .isLessThanOrEqualTo(pair.one.bound(greatest) + pair.other.bound(greatest));
            }
        }

        private void turn(Tenant tenant) {
            if (tenant.isWaiting) {
                tenant.isWaiting = false;
                shares.leave(tenant.name);
            } else {
                come(tenant);
            }
        }

        private void come(Tenant tenant) {
            tenant.isWaiting = true;
            shares.level();
            shares.stand(tenant.name, 0);
        }

        private void storeAndRead() {
            Shares read = shares(shares.virtual(), shares.usual());
            shares.keys().forEach(key -> read.restore(key, shares.share(key)));
            read.at(now);
            shares = read;
        }

        private void fillSlots() {
            for (Tenant next = next(); next != null && running.size() < slots; next = next()) {
                shares.start(next.name, 1);
                long length =
                        switch (lengths) {
                            case ONE_FOR_EACH_SHARE -> next.usual;
                            case ANY -> anyLength(random);
                            case MOSTLY_SHORT ->
                                random.nextInt(20) == 0 ? 60_000 * MILLI : random.nextLong(MILLI, 9 * MILLI);
                        };
                running.add(new Running(next, now, now + length));
                next.running++;
                next.sumOfStarts += now;
                next.mostAtOnce = Math.max(next.mostAtOnce, next.running);
                next.greatest = Math.max(next.greatest, length);
            }
        }

        private @Nullable Tenant next() {
            Tenant next = null;
            for (Tenant each : tenants) {
                if (each.isWaiting && (next == null || shares.compare(each.name, 0, next.name, 0) < 0)) {
                    next = each;
                }
            }
            return next;
        }

        private void endNext() {
            Running first = running.poll();
            if (first == null) {
                now += MILLI;
                shares.at(now);
                return;
            }
            now = first.endsAt;
            shares.at(now);
            shares.ended(first.tenant.name, first.endsAt - first.startedAt);
            first.tenant.running--;
            first.tenant.sumOfStarts -= first.startedAt;
            first.tenant.ended += first.endsAt - first.startedAt;
        }
    }
}
