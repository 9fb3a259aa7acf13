package dev.headgate.proof.contract;

import dev.headgate.proof.conformance.ConveyorConformance;
import dev.headgate.proof.conformance.ConveyorWorkerConformance;
import dev.headgate.proof.conformance.HeadgateConformance;
import dev.headgate.proof.conformance.QueuetyConformance;
import dev.headgate.proof.conformance.QueuetyWorkflowConformance;
import dev.headgate.proof.conformance.RqConformance;
import dev.headgate.proof.conformance.ScraperConformance;
import dev.headgate.proof.conformance.WorkglowLimiterConformance;
import dev.headgate.proof.conformance.WorkglowQueueConformance;
import dev.headgate.proof.conformance.WorkglowWorkerConformance;

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
                GlanceContract,
                ServingContract,
                ManyQueuesContract,
                PatternContract,
                ShareContract,
                StrandedContract,
                TimeShareContract,
                ScheduleContract,
                RecurrenceContract,
                RecurrenceChangeContract,
                RecurrenceRaceContract,
                OperateContract,
                OrderContract,
                OwnRowsContract,
                DedupContract,
                DepartContract,
                DependencyContract,
                DependencyFailureContract,
                DependencyRaceContract,
                HeldRowsContract,
                HistoryContract,
                PruneContract,
                PruneGatesContract,
                PruneRecordsContract,
                RequestKeyContract,
                TokenContract,
                RequestedPermitContract,
                FigureContract,
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
                HoldersContract,
                TotalsContract,
                SearchContract,
                LabelContract,
                RaceContract,
                ReapRaceContract,
                RoomContract,
                SettleContract,
                StepRoomContract,
                StepWaitContract,
                WorkflowContract,
                BudgetContract,
                DefinedBudgetContract,
                MachineContract,
                MachineFailureContract,
                MachineRaceContract,
                TimerContract,
                TypeDefaultsContract,
                RequiredGatesContract,
                WakeContract,
                ForkContract,
                RunControlContract,
                RunCancelContract,
                SpawnContract,
                RunRecoveryContract,
                RunExportContract,
                UnknownIdContract,
                HeadgateConformance,
                ScraperConformance,
                RqConformance,
                ConveyorConformance,
                ConveyorWorkerConformance,
                QueuetyConformance,
                QueuetyWorkflowConformance,
                WorkglowLimiterConformance,
                WorkglowQueueConformance,
                WorkglowWorkerConformance {}
