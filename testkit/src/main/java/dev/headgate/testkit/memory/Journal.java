package dev.headgate.testkit.memory;

import java.util.ArrayDeque;
import java.util.Deque;

/** What the open transaction has done, as the steps that would undo it. */
final class Journal {
    private final Deque<Runnable> undo = new ArrayDeque<>();
    private boolean isWritable;

    void begin(boolean writable) {
        isWritable = writable;
    }

    /** Notes how to take back a change that has just been made. */
    void note(Runnable inverse) {
        undo.push(inverse);
        if (!isWritable) {
            throw new IllegalStateException("a read changed something; use Backend.write");
        }
    }

    void commit() {
        undo.clear();
    }

    void rollBack() {
        while (!undo.isEmpty()) {
            undo.pop().run();
        }
    }
}
