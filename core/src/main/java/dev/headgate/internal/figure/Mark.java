package dev.headgate.internal.figure;

/**
 * How far new jobs are counted.
 *
 * @param counted the greatest number of a job that is counted
 * @param countedAt jobs with numbers up to it were enqueued before this instant
 * @param seen the greatest number that a look has seen; those up to it are counted by a later look
 * @param seenAt when that was
 */
record Mark(long counted, long countedAt, long seen, long seenAt) {
    static Mark parse(String text) {
        String[] parts = text.split(" ", -1);
        return new Mark(
                Long.parseLong(parts[0]), Long.parseLong(parts[1]), Long.parseLong(parts[2]), Long.parseLong(parts[3]));
    }

    String text() {
        return "%d %d %d %d".formatted(counted, countedAt, seen, seenAt);
    }

    /** The same after a look that counts nothing. */
    Mark seeing(long last, long now) {
        return new Mark(counted, countedAt, last, now);
    }

    /** The same with more counted. */
    Mark counting(long upTo, long at) {
        return new Mark(upTo, at, Math.max(seen, upTo), seenAt);
    }
}
