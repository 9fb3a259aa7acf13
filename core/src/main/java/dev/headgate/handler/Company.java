package dev.headgate.handler;

import dev.headgate.job.Lane;

/** Jobs that come to their handler together. The engine tells who is on the way before any of them arrives. */
public interface Company {
    /** Everyone comes alone. */
    Company NONE = new Company() {
        @Override
        public void expect(long job, Lane lane) {}

        @Override
        public void left(long job) {}
    };

    /** This job is about to come. */
    void expect(long job, Lane lane);

    /** This job is done here, or will not come after all. */
    void left(long job);
}
