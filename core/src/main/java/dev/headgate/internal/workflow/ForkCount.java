package dev.headgate.internal.workflow;

import dev.headgate.run.Join;

/**
 * How the children of one fork stand.
 *
 * @param needed how many must succeed
 * @param isSettled whether all must end, well or badly
 * @param isOpen whether their parent still waits for them
 */
record ForkCount(int needed, boolean isSettled, int total, int created, int succeeded, int failed, boolean isOpen) {

    static ForkCount of(Join join, int total) {
        return new ForkCount(join.needed(total), join instanceof Join.Settled, total, 0, 0, 0, true);
    }

    static ForkCount parse(String text) {
        String[] part = text.split(" ", -1);
        return new ForkCount(
                Integer.parseInt(part[0]),
                part[1].equals("1"),
                Integer.parseInt(part[2]),
                Integer.parseInt(part[3]),
                Integer.parseInt(part[4]),
                Integer.parseInt(part[5]),
                part[6].equals("1"));
    }

    String text() {
        return "%d %d %d %d %d %d %d"
                .formatted(needed, isSettled ? 1 : 0, total, created, succeeded, failed, isOpen ? 1 : 0);
    }

    ForkCount created(int more) {
        return new ForkCount(needed, isSettled, total, created + more, succeeded, failed, isOpen);
    }

    ForkCount ended(boolean isSuccess) {
        return new ForkCount(
                needed,
                isSettled,
                total,
                created,
                succeeded + (isSuccess ? 1 : 0),
                failed + (isSuccess ? 0 : 1),
                isOpen);
    }

    ForkCount closed() {
        return new ForkCount(needed, isSettled, total, created, succeeded, failed, false);
    }

    /** Whether nothing that the others do can change the outcome. */
    boolean isDecided() {
        return succeeded + failed == total || (!isSettled && (succeeded >= needed || failed > total - needed));
    }

    /** Children that are still at work although they are no longer needed. */
    boolean hasLosers() {
        return succeeded + failed < created;
    }
}
