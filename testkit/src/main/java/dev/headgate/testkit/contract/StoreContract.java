package dev.headgate.testkit.contract;

/**
 * Everything a store must do.
 *
 * <pre>{@code
 * class MyStoreTest implements StoreContract {
 *     public Backend open(StoreClock clock) { … }
 *     public Backend reopen(StoreClock clock) { … }
 * }
 * }</pre>
 */
public interface StoreContract
        extends EnqueueContract,
                LaneContract,
                LeaseContract,
                ReturnContract,
                AdmissionContract,
                RateContract,
                FairnessContract,
                ScheduleContract,
                OperateContract,
                DedupContract,
                HistoryContract,
                RecountContract,
                ExplainContract,
                PolicyContract,
                ReopenContract,
                RaceContract {}
