package dev.headgate.proof.simulation;

import java.util.Arrays;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time and the one heap of all future events, ordered by time; ties are broken by the seed. An event may wait
 * in the middle: then other events go on, on the same stack, so that calls of a store overlap as they do between
 * processes.
 */
final class Timeline {
    /** How many may wait at once; one more goes on at once, or the stack would grow without end. */
    private static final int WAITING_MAX = 12;

    /** So many may wait while one that needs to wait again and again begins. */
    private static final int FEW = 4;

    private final Dice ties;
    private final Judge judge;
    private Event[] heap = new Event[256];
    private int size;
    private long now;
    private int waiting;
    private long stall;
    private long longestStall;
    private boolean isStopped;

    /** Something that will happen, unless its process is gone by then. */
    private record Event(long at, long tie, @Nullable Host host, int life, BooleanSupplier act) {
        boolean isBefore(Event other) {
            return at != other.at ? at < other.at : tie < other.tie;
        }
    }

    Timeline(Dice ties, Judge judge) {
        this.ties = ties;
        this.judge = judge;
    }

    /** Nanoseconds since the beginning. */
    long now() {
        return now;
    }

    /**
     * Plans a step.
     *
     * @param host the process that takes it: late if that is paused, never if it has died
     * @param act answers whether it was still wanted; if not, it does not count as an event
     */
    void at(long time, @Nullable Host host, BooleanSupplier act) {
        push(new Event(Math.max(time, now), ties.next(), host, host == null ? 0 : host.life(), act));
    }

    void after(long nanos, @Nullable Host host, Runnable act) {
        at(now + nanos, host, () -> {
            act.run();
            return true;
        });
    }

    /** Nothing happens any more. */
    void stop() {
        isStopped = true;
    }

    /** Goes on until nothing is left to do before then, or the world is stopped. */
    void runUntil(long time) {
        while (size > 0 && heap[0].at <= time && !isStopped) {
            step(pop());
        }
        if (!isStopped) {
            now = Math.max(now, time);
        }
    }

    /** The caller stands still for this long, and all other events go on. */
    void rest(long nanos) {
        if (waiting >= WAITING_MAX || nanos <= 0) {
            return;
        }
        waiting++;
        try {
            runUntil(now + nanos);
        } finally {
            waiting--;
        }
    }

    /**
     * Time passes, and nothing else happens: for a wait in the middle of a transaction, which keeps all others out of
     * the store. What is due meanwhile comes late.
     */
    void stall(long nanos) {
        now += nanos;
        stall += nanos;
        longestStall = Math.max(longestStall, stall);
    }

    /** By how much an event has come late at most, because time passed while nothing happened. */
    long longestStall() {
        return longestStall;
    }

    /** How many wait. After a wait there are as many as before it. */
    int waiting() {
        return waiting;
    }

    /** Whether so many wait that an event that must not go on at once should not begin to wait. */
    boolean isCrowded() {
        return waiting >= FEW;
    }

    private void step(Event event) {
        stall = 0;
        now = Math.max(now, event.at);
        Host host = event.host;
        if (host != null) {
            if (host.life() != event.life) {
                return;
            }
            if (host.pausedUntil() > now) {
                push(new Event(host.pausedUntil(), ties.next(), host, event.life, event.act));
                return;
            }
        }
        try {
            if (event.act.getAsBoolean()) {
                judge.counted();
            }
        } catch (Crashed gone) {
            judge.counted();
        }
        if (judge.isOver()) {
            isStopped = true;
        }
    }

    private void push(Event event) {
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, size * 2);
        }
        int at = size++;
        while (at > 0) {
            int parent = (at - 1) >>> 1;
            if (!event.isBefore(heap[parent])) {
                break;
            }
            heap[at] = heap[parent];
            at = parent;
        }
        heap[at] = event;
    }

    private Event pop() {
        Event first = heap[0];
        Event last = heap[--size];
        int at = 0;
        int child;
        while ((child = 2 * at + 1) < size) {
            if (child + 1 < size && heap[child + 1].isBefore(heap[child])) {
                child++;
            }
            if (!heap[child].isBefore(last)) {
                break;
            }
            heap[at] = heap[child];
            at = child;
        }
        heap[at] = last;
        return first;
    }
}
