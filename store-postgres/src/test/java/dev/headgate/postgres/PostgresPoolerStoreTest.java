package dev.headgate.postgres;

import dev.headgate.proof.contract.AdmissionContract;
import dev.headgate.proof.contract.DependencyContract;
import dev.headgate.proof.contract.EnqueueContract;
import dev.headgate.proof.contract.LeaseContract;
import dev.headgate.proof.contract.OverrideContract;
import dev.headgate.proof.contract.PolicyContract;
import dev.headgate.proof.contract.RaceContract;
import dev.headgate.proof.contract.RecurrenceContract;
import dev.headgate.proof.contract.ReturnContract;
import dev.headgate.proof.contract.WorkflowContract;
import dev.headgate.spi.Backend;
import dev.headgate.spi.StoreClock;
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
