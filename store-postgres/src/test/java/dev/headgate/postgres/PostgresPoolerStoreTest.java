package dev.headgate.postgres;

import dev.headgate.spi.Backend;
import dev.headgate.spi.StoreClock;
import dev.headgate.testkit.contract.AdmissionContract;
import dev.headgate.testkit.contract.DependencyContract;
import dev.headgate.testkit.contract.EnqueueContract;
import dev.headgate.testkit.contract.LeaseContract;
import dev.headgate.testkit.contract.OverrideContract;
import dev.headgate.testkit.contract.PolicyContract;
import dev.headgate.testkit.contract.RaceContract;
import dev.headgate.testkit.contract.RecurrenceContract;
import dev.headgate.testkit.contract.ReturnContract;
import dev.headgate.testkit.contract.WorkflowContract;
import org.junit.jupiter.api.BeforeEach;

/** The contracts of what goes through every kind of statement, behind a pooler in transaction mode. */
class PostgresPoolerStoreTest
        implements EnqueueContract,
                AdmissionContract,
                LeaseContract,
                ReturnContract,
                DependencyContract,
                RecurrenceContract,
                PolicyContract,
                OverrideContract,
                RaceContract,
                WorkflowContract {
    private String url;

    @BeforeEach
    void begin() {
        Pooler.require();
        url = Pooler.emptyStore();
    }

    @Override
    public Backend open(StoreClock clock) {
        return reopen(clock);
    }

    @Override
    public Backend reopen(StoreClock clock) {
        return PostgresBackend.open(url, clock);
    }
}
