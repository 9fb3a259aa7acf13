package dev.headgate.limiter;

import java.util.Optional;

/**
 * A limit of your own for limiters of one process, such as the seats of a licence. Give it to one limiter, as
 * {@code Limiter.inProcess(new Seats())}, {@code limiter.add(new Seats())} or {@code worker.limiter(new Seats())}. That
 * limiter adds the rest: permits that are closed once, holds, back-off, threads that wait in line, other limits beside it.
 *
 * <pre>{@code
 * final class Seats implements CustomLimit {
 *     private int free = 3;
 *
 *     public Answer tryTake(long cost) {
 *         if (free == 0) {
 *             return Denied.untilRelease("no seat is free");
 *         }
 *         free--;
 *         return Taken.place(() -> free++);
 *     }
 *
 *     public void clear() {
 *         free = 3;
 *     }
 * }
 * }</pre>
 *
 * <p>Its limiter calls it from any thread, but from one at a time, and waits for each call. So it needs no lock of its own
 * unless it was given to several limiters, should return soon, and must not call a limiter. What it throws is logged and counts
 * as a denial for a second: a limit that is broken lets nothing start.
 *
 * <p>{@code dev.headgate.testkit.junit.CustomLimitContract} tests an implementation.
 */
public interface CustomLimit {
    /** {@link Taken} or {@link Denied}. */
    sealed interface Answer permits Taken, Denied {}

    /**
     * Takes one start if it may happen now. A denial changes nothing.
     *
     * @param cost what the start counts for limits by cost; 0 to 1,000,000,000,000
     */
    Answer tryTake(long cost);

    /** As if it were new: nothing is taken. What was taken before is neither undone nor ended afterwards. */
    void clear();

    /**
     * What {@link #tryTake} would be denied with now; absent if it would take the start. Changes nothing. By default it takes a
     * start and undoes it; write your own if that is slow.
     */
    default Optional<Denied> check(long cost) {
        return switch (tryTake(cost)) {
            case Taken taken -> {
                taken.undo();
                yield Optional.empty();
            }
            case Denied denied -> Optional.of(denied);
        };
    }

    /**
     * How many starts of cost 1 could follow each other right now, at most {@code max}; too few is allowed, too many is not. A worker claims
     * so many jobs at once. By default one or none.
     */
    default int available(int max) {
        return max > 0 && check(1).isEmpty() ? 1 : 0;
    }

    /**
     * Its limiter wants to know when this limit opens by itself. Called once, before anything else.
     *
     * @param opened to be run, on any thread, when something became free that this limit was not told to give back, such as a
     *     seat that another program has left. What waits then asks again. Without it, waiting threads and workers ask again when
     *     {@link Denied#next} says, when a start of the same limiter ends, and now and then
     */
    default void whenOpened(Runnable opened) {}

    /** One start that was taken. One of {@link #undo} and {@link #end} is called, once. */
    non-sealed interface Taken extends Answer {
        /** The start did not happen, because another limit denied it: as if it had never been taken. */
        void undo();

        /** The start is over: what it held is free again. A limit that counts starts keeps counting it. */
        void end();

        /** Before the end: what the start really cost. By default nothing changes. */
        default void settle(long actualCost) {}

        /** A place that is held until its start is over, as by {@code concurrency}. */
        static Taken place(Runnable giveBack) {
            return new Taken() {
                @Override
                public void undo() {
                    giveBack.run();
                }

                @Override
                public void end() {
                    giveBack.run();
                }
            };
        }

        /** A start that stays counted after its end, as by {@code window}. */
        static Taken start(Runnable undo) {
            return new Taken() {
                @Override
                public void undo() {
                    undo.run();
                }

                @Override
                public void end() {}
            };
        }
    }
}
