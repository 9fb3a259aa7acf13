package dev.headgate.internal.handler;

import dev.headgate.job.Lane;

/** Jobs that come to their handler together. The engine announces those on the way before any of them arrives. */
public interface BatchGroup {
    /** Every job comes alone. */
    BatchGroup NONE = new BatchGroup() {
        @Override
        public void expect(Ticket ticket, Lane lane) {}

        @Override
        public void left(Ticket ticket) {}
    };

    /** One lease of a job: a later one of the same job is another. */
    record Ticket(long job, long epoch) {}

    /** This job is about to come. */
    void expect(Ticket ticket, Lane lane);

    /** This job is done here, or will not come after all. */
    void left(Ticket ticket);
}
