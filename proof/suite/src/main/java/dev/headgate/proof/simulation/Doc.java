package dev.headgate.proof.simulation;

import java.util.ArrayList;
import java.util.List;

/**
 * The state of a simulated run. It names the attempt that made it, so that a table shows which attempt was recorded.
 *
 * @param token of the run that it began with
 * @param steps how many steps have been recorded on the way to it
 * @param job the job that made it; 0 if none has yet
 * @param epoch of the attempt that made it
 * @param width how many items its fan-outs have
 */
record Doc(long token, int steps, long job, long epoch, int width) {
    /** What a step makes of it. */
    Doc by(long newJob, long newEpoch) {
        return new Doc(token, steps + 1, newJob, newEpoch, width);
    }

    /** One document for each item or child run. */
    List<Doc> items() {
        List<Doc> items = new ArrayList<>();
        for (int i = 0; i < width; i++) {
            items.add(new Doc(token, steps, job, epoch, 1));
        }
        return items;
    }
}
