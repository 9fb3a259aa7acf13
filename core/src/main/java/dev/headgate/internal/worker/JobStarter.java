package dev.headgate.internal.worker;

import dev.headgate.internal.handler.BatchGroup;
import dev.headgate.internal.handler.Handler;
import dev.headgate.internal.handler.Handlers;
import dev.headgate.internal.lease.EndedLease;
import dev.headgate.internal.text.Text;
import dev.headgate.job.Outcome;
import dev.headgate.job.ParkReason;
import dev.headgate.spi.JobRow;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts jobs that have just been leased, or reports at once why not. */
final class JobStarter {
    private static final Logger log = LoggerFactory.getLogger(JobStarter.class);

    private final Handlers handlers;
    private final String worker;
    private final WorkerLease workerLease;
    private final OutcomeQueue outcomes;
    private final Runner runner;
    private final Set<String> unknownTypes = new HashSet<>();

    /** Runs one job. */
    interface Runner {
        boolean isClaiming();

        /**
         * Runs a job on a thread of its own.
         *
         * @throws HandlerNotEntered if its resources were taken since the claim
         */
        void run(JobRow row, Handler<?> handler, GrantTime grant);
    }

    JobStarter(Handlers handlers, String worker, WorkerLease workerLease, OutcomeQueue outcomes, Runner runner) {
        this.handlers = handlers;
        this.worker = worker;
        this.workerLease = workerLease;
        this.outcomes = outcomes;
        this.runner = runner;
    }

    /** Called by the claim loop only. */
    void start(List<JobRow> rows, Function<JobRow, GrantTime> grants) {
        if (rows.isEmpty()) {
            return;
        }
        List<Starting> all = new ArrayList<>(rows.size());
        for (JobRow row : rows) {
            all.add(new Starting(row, handlers.find(row.spec().type())));
        }
        // Announce all before the first starts: members of a batch learn from this which others are on the way.
        all.forEach(each ->
                each.batchGroup().expect(each.ticket(), each.row().spec().lane()));
        for (Starting each : all) {
            if (!start(each.row(), each.handler(), grants.apply(each.row()))) {
                each.batchGroup().left(each.ticket());
            }
        }
    }

    private record Starting(JobRow row, @Nullable Handler<?> handler) {
        private BatchGroup.Ticket ticket() {
            return new BatchGroup.Ticket(row.id(), row.lease().epoch());
        }

        private BatchGroup batchGroup() {
            return handler == null ? BatchGroup.NONE : handler.batchGroup();
        }
    }

    /** Runs a job, or reports at once why not. */
    private boolean start(JobRow row, @Nullable Handler<?> handler, GrantTime grant) {
        if (!runner.isClaiming()) {
            outcomes.put(new EndedLease(row, new Outcome.HandedBack()));
        } else if (!workerLease.mayRun(row.lease().worker())) {
            String why = "its grant reached the worker when three quarters of the lease were over";
            outcomes.put(new EndedLease(row, new Outcome.HandedBack(why)));
        } else if (handler == null) {
            if (unknownTypes.add(row.spec().type())) {
                log.warn(
                        "job {}: parked, because no handler for '{}' is registered here; a worker that has one revives"
                                + " it (said once for each type)",
                        row.id(),
                        row.spec().type());
            }
            String why = "no handler for '%s' on worker %s".formatted(row.spec().type(), worker);
            outcomes.put(new EndedLease(row, new Outcome.Parked(ParkReason.UNKNOWN_HANDLER, why)));
        } else {
            try {
                runner.run(row, handler, grant);
                return true;
            } catch (HandlerNotEntered not) {
                outcomes.put(new EndedLease(row, not.outcome()));
            } catch (RuntimeException fault) {
                log.error("job {}: could not be started; it goes back to its queue", row.id(), fault);
                String why = "it could not be started: " + Text.storable(fault.toString(), Slots.TROUBLE_MAX);
                outcomes.put(new EndedLease(row, new Outcome.HandedBack(why)));
            }
        }
        return false;
    }
}
