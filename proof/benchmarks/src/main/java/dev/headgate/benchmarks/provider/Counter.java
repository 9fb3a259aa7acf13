package dev.headgate.benchmarks.provider;

import java.util.ArrayDeque;

/** Counts calls at receipt and says which are too many; those do not count. Time is in microseconds and never goes back. */
interface Counter {
    boolean allows(long now);

    static Counter of(Allowance allowance) {
        long per = allowance.per().toNanos() / 1_000;
        return switch (allowance.kind()) {
            case SLIDING -> new Sliding(allowance.count(), per);
            case FIXED -> new Fixed(allowance.count(), per);
            case BUCKET -> new Bucket(allowance.count(), per);
        };
    }

    /** One exactly a period ago no longer counts. */
    final class Sliding implements Counter {
        private final int count;
        private final long per;
        private final ArrayDeque<Long> recent = new ArrayDeque<>();

        Sliding(int count, long per) {
            this.count = count;
            this.per = per;
        }

        @Override
        public boolean allows(long now) {
            while (!recent.isEmpty() && recent.getFirst() <= now - per) {
                recent.removeFirst();
            }
            if (recent.size() >= count) {
                return false;
            }
            recent.addLast(now);
            return true;
        }
    }

    /** Begins anew at each multiple of the period. */
    final class Fixed implements Counter {
        private final int count;
        private final long per;
        private long window = Long.MIN_VALUE;
        private int calls;

        Fixed(int count, long per) {
            this.count = count;
            this.per = per;
        }

        @Override
        public boolean allows(long now) {
            long current = Math.floorDiv(now, per);
            if (current != window) {
                window = current;
                calls = 0;
            }
            if (calls >= count) {
                return false;
            }
            calls++;
            return true;
        }
    }

    /** Full at first. Its level is in tokens times the period, so that each microsecond adds a whole number. */
    final class Bucket implements Counter {
        private final int count;
        private final long per;
        private long level;
        private long filledAt = Long.MIN_VALUE;

        Bucket(int count, long per) {
            this.count = count;
            this.per = per;
            this.level = count * per;
        }

        @Override
        public boolean allows(long now) {
            // After one period it is full, however long ago the last call was.
            long elapsed = filledAt == Long.MIN_VALUE ? per : Math.min(per, now - filledAt);
            level = Math.min(count * per, level + elapsed * count);
            filledAt = now;
            if (level < per) {
                return false;
            }
            level -= per;
            return true;
        }
    }
}
