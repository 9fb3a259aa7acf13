package dev.headgate.proof;

import dev.headgate.job.Attributes;
import dev.headgate.job.Cost;
import dev.headgate.job.JobId;
import dev.headgate.job.JobSpec;
import dev.headgate.job.JobSpec.Dedup;
import dev.headgate.job.JobSpec.Order;
import dev.headgate.job.JobSpec.Tries;
import dev.headgate.job.Lane;
import dev.headgate.job.Unmet;
import dev.headgate.spi.Need;
import dev.headgate.spi.NewJob;
import dev.headgate.spi.NewJob.Due;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Jobs to enqueue, as prose: {@code job("mail").gate("tenant:acme").cost(2).after(ofMinutes(5))}. */
public final class Jobs {
    private Jobs() {}

    /** A job of cost 1 and three attempts that is due at once, in this queue. */
    public static Draft job(String queue) {
        return new Draft(queue);
    }

    /** A job in the making; every word changes this draft and returns it. */
    public static final class Draft {
        private final String queue;
        private final List<String> gates = new ArrayList<>();
        private String type = "work";
        private String payload = "{}";
        private Cost cost = Cost.ONE;
        private int priority;
        private boolean isFront;
        private boolean keepsPlace;
        private @Nullable String dedupKey;
        private @Nullable Duration dedupFor;
        private @Nullable Duration timeout;
        private @Nullable Instant deadline;
        private int attemptsMax = 3;
        private @Nullable String retry;
        private Attributes attributes = Attributes.NONE;
        private Due due = Due.NOW;
        private final List<Need> needs = new ArrayList<>();

        private Draft(String queue) {
            this.queue = queue;
        }

        public Draft gate(String... names) {
            gates.addAll(List.of(names));
            return this;
        }

        /** A gate with units of its own there. */
        public Draft gate(String name, long units) {
            gates.add(name);
            cost = cost.with(name, units);
            return this;
        }

        public Draft type(String name) {
            type = name;
            return this;
        }

        public Draft payload(String json) {
            payload = json;
            return this;
        }

        public Draft cost(long units) {
            cost = new Cost(units, cost.byGate());
            return this;
        }

        public Draft priority(int higherFirst) {
            priority = higherFirst;
            return this;
        }

        public Draft front() {
            isFront = true;
            return this;
        }

        /** Has the place of its enqueue also when it becomes due or free later. */
        public Draft keepPlace() {
            keepsPlace = true;
            return this;
        }

        public Draft dedup(String key) {
            dedupKey = key;
            return this;
        }

        public Draft dedupFor(Duration window) {
            dedupFor = window;
            return this;
        }

        public Draft timeout(Duration perAttempt) {
            timeout = perAttempt;
            return this;
        }

        public Draft deadline(Instant instant) {
            deadline = instant;
            return this;
        }

        public Draft attempts(int max) {
            attemptsMax = max;
            return this;
        }

        public Draft retry(String policy) {
            retry = policy;
            return this;
        }

        public Draft label(String name, String value) {
            attributes = attributes.and(Attributes.of(Map.of(name, value), Map.of()));
            return this;
        }

        public Draft header(String name, String value) {
            attributes = attributes.and(Attributes.of(Map.of(), Map.of(name, value)));
            return this;
        }

        public Draft after(Duration delay) {
            due = new Due.After(delay);
            return this;
        }

        public Draft at(Instant instant) {
            due = new Due.At(instant);
            return this;
        }

        /** Runs once these have succeeded. */
        public Draft after(JobId... jobs) {
            return after(Unmet.FAIL, jobs);
        }

        public Draft after(Unmet unmet, JobId... jobs) {
            for (JobId job : jobs) {
                needs.add(new Need.Job(job, unmet));
            }
            return this;
        }

        /** Waits for its children, which stand at these places of the same enqueue. */
        public Draft children(int... places) {
            return children(Unmet.FAIL, places);
        }

        public Draft children(Unmet unmet, int... places) {
            for (int place : places) {
                needs.add(new Need.Mate(place, unmet, true));
            }
            return this;
        }

        @SuppressWarnings("exports") // hands internal types to our own tests; users need not name them
        public NewJob build() {
            JobSpec spec = new JobSpec(
                    new Lane(queue, gates),
                    type,
                    payload,
                    cost,
                    Order.of(priority, isFront, keepsPlace),
                    Dedup.of(dedupKey, dedupFor),
                    new Tries(attemptsMax, retry, timeout, deadline),
                    attributes,
                    null);
            return new NewJob(spec, due, needs);
        }
    }
}
