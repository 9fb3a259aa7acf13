package dev.headgate.server.live;

import dev.headgate.spi.EndPosition;

/**
 * Something that changed, as viewers are told.
 *
 * @param number counts the events of this server since its start; another server counts its own
 * @param position how far the ends of jobs were told by then, in any server: there a viewer goes on
 * @param id the number of the job or run that it is about; 0 if about neither
 * @param queue the queue that it is about; empty if about none
 * @param type the job type that it is about; empty if about none
 * @param json what changed
 */
public record FeedEvent(long number, Kind kind, EndPosition position, long id, String queue, String type, String json) {
    /** What it is about. */
    public enum Kind {
        /** A job has ended. */
        JOB("job"),
        /** A live job that viewers name is in another state: told to these only. */
        NAMED_JOB("job"),
        RUN("run"),
        QUEUE("queue"),
        GATE("gate"),
        WORKERS("workers"),
        POLICIES("policies");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        /** What viewers call it. */
        public String text() {
            return text;
        }
    }
}
