package dev.headgate.internal.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headgate.internal.run.BudgetLedger.Bill;
import dev.headgate.run.BudgetLine;
import dev.headgate.run.Guardrail;
import dev.headgate.run.RunBudget;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BudgetLedgerTest {
    private final BudgetLedger ledger =
            new BudgetLedger(RunBudget.STANDARD.maxCostUnits(10).maxAttempts(4).maxStateBytes(100));

    @Test
    void reachingALimitIsFineAndExceedingItChargesNothing() {
        assertThat(ledger.charge(new Bill().attempt(10))).isNull();
        assertThat(ledger.charge(new Bill().add(Guardrail.TRANSITIONS, 1).attempt(1)))
                .isEqualTo(new BudgetExcess(Guardrail.COST_UNITS, 10, 10, 1));
        assertThat(ledger.line(Guardrail.TRANSITIONS).used()).isZero();
        assertThat(ledger.line(Guardrail.ATTEMPTS)).isEqualTo(new BudgetLine(Guardrail.ATTEMPTS, 4, 0, 1));
    }

    @Test
    void anAttemptIsReservedUntilItWasMade() {
        assertThat(ledger.charge(new Bill().attempt(3))).isNull();
        assertThat(ledger.line(Guardrail.COST_UNITS)).isEqualTo(new BudgetLine(Guardrail.COST_UNITS, 10, 0, 3));
        ledger.settle(3);
        ledger.settle(3);
        assertThat(ledger.line(Guardrail.COST_UNITS)).isEqualTo(new BudgetLine(Guardrail.COST_UNITS, 10, 3, 0));
        assertThat(ledger.line(Guardrail.COST_UNITS).left()).isEqualTo(7);
    }

    @Test
    void ofAPeakTheLargestFigureCounts() {
        assertThat(ledger.charge(new Bill().add(Guardrail.STATE_BYTES, 60).add(Guardrail.STATE_BYTES, 70)))
                .isNull();
        assertThat(ledger.charge(new Bill().add(Guardrail.STATE_BYTES, 50))).isNull();
        assertThat(ledger.line(Guardrail.STATE_BYTES).used()).isEqualTo(70);
        assertThat(ledger.charge(new Bill().add(Guardrail.STATE_BYTES, 101)))
                .hasToString("maxStateBytes is 100, this needs 101");
    }

    @Test
    void theTextForgetsNothing() {
        assertThat(ledger.charge(new Bill().add(Guardrail.TRANSITIONS, 7).attempt(9)))
                .isNull();
        ledger.settle(2);
        assertThat(ledger.warnings()).extracting(BudgetLine::guardrail).containsExactly(Guardrail.COST_UNITS);
        BudgetLedger read = BudgetLedger.parse(ledger.text());
        assertThat(read.lines()).isEqualTo(ledger.lines());
        assertThat(read.warnings()).isEmpty();
    }

    @Test
    void aWarningComesAgainAfterATopUp() {
        assertThat(ledger.charge(new Bill().attempt(8))).isNull();
        assertThat(ledger.warnings()).hasSize(1);
        ledger.topUp(Guardrail.COST_UNITS, 10);
        assertThat(ledger.warnings()).isEmpty();
        assertThat(ledger.charge(new Bill().attempt(8))).isNull();
        assertThat(ledger.warnings()).hasSize(1);
    }

    @Test
    void aRewindForgetsWhatWasSpentSince() {
        assertThat(ledger.charge(new Bill().add(Guardrail.TRANSITIONS, 1).attempt(2)))
                .isNull();
        ledger.settle(2);
        String mark = ledger.spent();
        assertThat(ledger.charge(new Bill().add(Guardrail.TRANSITIONS, 1).attempt(5)))
                .isNull();
        ledger.settle(5);
        ledger.rewind(mark);
        assertThat(ledger.line(Guardrail.COST_UNITS).used()).isEqualTo(2);
        assertThat(ledger.line(Guardrail.TRANSITIONS).used()).isEqualTo(1);
    }

    @Test
    void aRewindLeavesReservedWhatIsUnderWay() {
        String mark = ledger.spent();
        assertThat(ledger.charge(new Bill().attempt(6))).isNull();
        ledger.rewind(mark);
        assertThat(ledger.line(Guardrail.COST_UNITS)).isEqualTo(new BudgetLine(Guardrail.COST_UNITS, 10, 0, 6));
        assertThat(ledger.line(Guardrail.ATTEMPTS)).isEqualTo(new BudgetLine(Guardrail.ATTEMPTS, 4, 0, 1));
        assertThat(ledger.charge(new Bill().attempt(5))).isEqualTo(new BudgetExcess(Guardrail.COST_UNITS, 10, 6, 5));
        ledger.settle(6);
        assertThat(ledger.line(Guardrail.COST_UNITS)).isEqualTo(new BudgetLine(Guardrail.COST_UNITS, 10, 6, 0));
    }

    @Test
    void whatHasStoppedTheRunIsKeptBesideTheWarningsUntilItGoesOn() {
        ledger.stop(Guardrail.COST_UNITS);
        ledger.stop(Guardrail.WALL_TIME);
        assertThat(ledger.charge(new Bill().attempt(9))).isNull();
        assertThat(ledger.warnings()).hasSize(1);
        BudgetLedger read = BudgetLedger.parse(ledger.text());
        assertThat(read.stoppedBy()).containsExactly(Guardrail.COST_UNITS, Guardrail.WALL_TIME);
        assertThat(read.warnings()).isEmpty();
        read.resume();
        assertThat(BudgetLedger.parse(read.text()).stoppedBy()).isEmpty();
        assertThat(BudgetLedger.parse(read.text()).warnings()).isEmpty();
    }

    @Test
    void aTimeIsToldAsOne() {
        assertThat(new BudgetExcess(Guardrail.WALL_TIME, 3_600_000_000L, 0, 3_601_500_017L))
                .hasToString("maxWallTime is 1h, this needs 1h1s500ms");
        assertThat(Guardrail.WALL_TIME.text(17)).isEqualTo("17us");
        assertThat(Guardrail.WALL_TIME.text(Long.MAX_VALUE)).isEqualTo("unlimited");
        assertThat(Guardrail.STATE_BYTES.text(100_000)).isEqualTo("100000");
        assertThatThrownBy(() -> RunBudget.STANDARD.maxWallTime(Duration.ofSeconds(-5)))
                .hasMessage("budget: expected maxWallTime of more than zero, got -5s");
    }

    @Test
    void limitsThatMakeNoSenseAreRefused() {
        assertThatThrownBy(() -> RunBudget.STANDARD.maxCostUnits(0))
                .hasMessage("budget: expected maxCostUnits of 1 to 9223372036854775807, got 0");
        assertThatThrownBy(() -> RunBudget.STANDARD.maxStateBytes(1_000_000)).hasMessageContaining("got 1000000");
        assertThatThrownBy(() -> RunBudget.STANDARD.maxWallTime(Duration.ZERO)).hasMessageContaining("maxWallTime");
        assertThatThrownBy(() -> Guardrail.titled("maxLuck")).hasMessageContaining("got 'maxLuck'");
    }
}
