package dev.headgate.cli.workers;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * What a supervisor and its child tell each other: nothing as long as all is well. The supervisor holds the other end
 * of the child's standard input. One byte asks the child to stop; the end of the stream says that the supervisor is
 * gone, for whatever reason, and a child must not outlive it.
 */
final class ParentWatch {
    private static final int STOP = 's';

    private ParentWatch() {}

    /** Reacts in the child. */
    interface Reaction {
        void stop(String why);

        /** The supervisor ended after it had asked to stop: it will not wait any longer. */
        void stopNow();
    }

    /** Listens on a thread of its own, because a blocking read cannot be abandoned. */
    static void start(InputStream fromParent, Reaction reaction) {
        Thread.ofPlatform().daemon().name("headgate-parent").start(() -> {
            boolean isAsked = false;
            int word = read(fromParent);
            while (word >= 0) {
                if (word == STOP && !isAsked) {
                    isAsked = true;
                    reaction.stop("asked by its supervisor");
                }
                word = read(fromParent);
            }
            if (isAsked) {
                reaction.stopNow();
            } else {
                reaction.stop("its supervisor is gone");
            }
        });
    }

    private static int read(InputStream in) {
        try {
            return in.read();
        } catch (IOException gone) {
            return -1;
        }
    }

    /** Tells a child that was asked to stop to hand back what runs. */
    static void insist(Process child) {
        try {
            child.getOutputStream().close();
        } catch (IOException gone) {
            // Its end is on the way.
        }
    }

    /** Asks a child to stop; a child that has ended ignores it. */
    static void ask(Process child) {
        try {
            OutputStream out = child.getOutputStream();
            out.write(STOP);
            out.flush();
        } catch (IOException gone) {
            // Its end is on the way.
        }
    }
}
