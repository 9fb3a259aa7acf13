package dev.headgate.event;

/**
 * Is told what happens in the workers of this process, in order, on a thread that serves listeners alone. A slow listener
 * therefore delays no job; if it falls 10,000 events behind, further ones are dropped and the number of them is logged.
 * What it throws is logged, and the next event follows.
 *
 * <pre>{@code
 * headgate.listen(event -> {
 *     if (event instanceof Event.JobEnded(var worker, var attempt, Outcome.Failed(String error))) {
 *         alerts.send(attempt.job() + " failed: " + error);
 *     }
 * });
 * }</pre>
 */
@FunctionalInterface
public interface Listener {
    /** Is called with each event, one after the other. */
    void on(Event event);
}
