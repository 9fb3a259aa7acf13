package dev.headgate.proof.simulation;

import org.jspecify.annotations.Nullable;

/** Counts what happens, keeps a hash of it, and notes the first broken promise. */
final class Judge {
    private long events;
    private long hash = 1;
    private @Nullable Violation first;

    /** A step on the heap. */
    void counted() {
        events++;
    }

    /** An entry of the history: what happened, to which start, and when. */
    void noted(int what, long whom, long number, long at) {
        events++;
        long mixed = hash * 31 + what;
        mixed = mixed * 31 + whom;
        mixed = mixed * 31 + number;
        hash = (mixed * 31 + at) * 0x9E3779B97F4A7C15L;
    }

    /** Something of the history that is not counted as an event of its own, because what led to it was. */
    void mixed(long what, long number) {
        hash = ((hash * 31 + what) * 31 + number) * 0x9E3779B97F4A7C15L;
    }

    /** What entries are about. */
    static final int INSERT = 1;

    static final int GRANT = 2;
    static final int START = 3;
    static final int END = 4;
    static final int OUTCOME = 5;
    static final int BEAT = 6;
    static final int FAULT = 7;
    static final int OPERATE = 8;
    static final int REGISTER = 9;
    static final int LOSE = 10;
    static final int COMMIT = 11;
    static final int PERMIT = 12;
    static final int LATE = 13;
    static final int CALL = 14;
    static final int PRUNE = 15;
    static final int DEPART = 16;

    long events() {
        return events;
    }

    long hash() {
        return hash;
    }

    boolean isOver() {
        return first != null;
    }

    @Nullable
    Violation violation() {
        return first;
    }

    void broken(String invariant, String what) {
        if (first == null) {
            first = new Violation(invariant, what, events);
        }
    }
}
