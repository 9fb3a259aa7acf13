package dev.headgate.testkit.contract;

import dev.headgate.testkit.conformance.ConveyorConformance;
import dev.headgate.testkit.conformance.HeadgateConformance;
import dev.headgate.testkit.conformance.QueuetyConformance;
import dev.headgate.testkit.conformance.RqConformance;
import dev.headgate.testkit.conformance.ScraperConformance;
import dev.headgate.testkit.conformance.WorkglowLimiterConformance;
import dev.headgate.testkit.conformance.WorkglowQueueConformance;

/**
 * Everything a store must do: the contracts, and the behaviours of other systems.
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
                EpochContract,
                HostileTextContract,
                LaneContract,
                LateContract,
                LeaseContract,
                ListingContract,
                LossContract,
                OwnTroubleContract,
                ReturnContract,
                AdmissionContract,
                RateContract,
                FairnessContract,
                GateWaitContract,
                ServingContract,
                ManyQueuesContract,
                ShareContract,
                TimeShareContract,
                ScheduleContract,
                RecurrenceContract,
                RecurrenceChangeContract,
                RecurrenceRaceContract,
                OperateContract,
                OrderContract,
                DedupContract,
                DepartContract,
                DependencyContract,
                DependencyFailureContract,
                DependencyRaceContract,
                HistoryContract,
                PruneContract,
                PruneGatesContract,
                PruneRecordsContract,
                RetentionContract,
                PruneRunsContract,
                RedriveContract,
                RecountContract,
                ExplainContract,
                OutlookContract,
                PolicyContract,
                PolicyVersionContract,
                OverrideContract,
                MisfitContract,
                ReopenContract,
                BacklogContract,
                BlockedContract,
                DemandContract,
                JournalContract,
                EvidenceContract,
                PauseContract,
                PermitContract,
                PermitMarginContract,
                PushBackContract,
                HoldContract,
                RaceContract,
                ReapRaceContract,
                RoomContract,
                SettleContract,
                WorkflowContract,
                BudgetContract,
                MachineContract,
                MachineFailureContract,
                MachineRaceContract,
                TimerContract,
                ForkContract,
                RunControlContract,
                RunRecoveryContract,
                RunExportContract,
                HeadgateConformance,
                ScraperConformance,
                RqConformance,
                ConveyorConformance,
                QueuetyConformance,
                WorkglowLimiterConformance,
                WorkglowQueueConformance {}
