package dev.headgate.internal.worker;

import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.spi.BacklogTable;
import dev.headgate.spi.DemandTable;
import dev.headgate.spi.EdgeTable;
import dev.headgate.spi.FigureTable;
import dev.headgate.spi.FrameTable;
import dev.headgate.spi.GateTable;
import dev.headgate.spi.HistoryTable;
import dev.headgate.spi.JobTable;
import dev.headgate.spi.JobTable.Ending;
import dev.headgate.spi.JournalTable;
import dev.headgate.spi.LaneTable;
import dev.headgate.spi.PermitTable;
import dev.headgate.spi.PolicyTable;
import dev.headgate.spi.ProfileTable;
import dev.headgate.spi.RequestKeyTable;
import dev.headgate.spi.ScheduleTable;
import dev.headgate.spi.ShareTable;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.TokenTable;
import dev.headgate.spi.WorkerTable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Predicate;

/** A transaction that cannot store certain results. */
record ChokingTransaction(StoreTransaction sound, Predicate<String> chokesOn) implements StoreTransaction {
    @Override
    public JobTable jobs() {
        return (JobTable) Proxy.newProxyInstance(
                JobTable.class.getClassLoader(), new Class<?>[] {JobTable.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("end")) {
                        refuse((List<?>) arguments[1]);
                    }
                    try {
                        return method.invoke(sound.jobs(), arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }

    private void refuse(List<?> endings) {
        for (Object each : endings) {
            String result = ((Ending) each).result();
            if (result != null && chokesOn.test(result)) {
                throw new IllegalStateException("planted: this result cannot be stored");
            }
        }
    }

    @Override
    public long now() {
        return sound.now();
    }

    @Override
    public PolicyBook policies() {
        return sound.policies();
    }

    @Override
    public DemandTable demand() {
        return sound.demand();
    }

    @Override
    public ShareTable shares() {
        return sound.shares();
    }

    @Override
    public LaneTable lanes() {
        return sound.lanes();
    }

    @Override
    public GateTable gates() {
        return sound.gates();
    }

    @Override
    public WorkerTable workers() {
        return sound.workers();
    }

    @Override
    public HistoryTable history() {
        return sound.history();
    }

    @Override
    public PolicyTable policyTable() {
        return sound.policyTable();
    }

    @Override
    public BacklogTable backlog() {
        return sound.backlog();
    }

    @Override
    public ScheduleTable schedules() {
        return sound.schedules();
    }

    @Override
    public FigureTable figures() {
        return sound.figures();
    }

    @Override
    public TokenTable tokens() {
        return sound.tokens();
    }

    @Override
    public PermitTable permits() {
        return sound.permits();
    }

    @Override
    public RequestKeyTable requestKeys() {
        return sound.requestKeys();
    }

    @Override
    public FrameTable frames() {
        return sound.frames();
    }

    @Override
    public ProfileTable profiles() {
        return sound.profiles();
    }

    @Override
    public EdgeTable edges() {
        return sound.edges();
    }

    @Override
    public JournalTable journal() {
        return sound.journal();
    }
}
