package dev.headgate.store;

import java.util.List;

/**
 * What it takes to bring the tables of a store up to date.
 *
 * @param store which one, for people, without secrets
 * @param from the version of its tables; 0 if there are none yet
 * @param to the version that this program works with
 * @param steps in their order, all in one transaction; none if the store is up to date
 */
public record MigrationPlan(String store, int from, int to, List<Step> steps) {
    public MigrationPlan {
        steps = List.copyOf(steps);
    }

    public boolean isUpToDate() {
        return steps.isEmpty();
    }

    /**
     * One statement.
     *
     * @param version what the tables are once all statements of its migration have run
     * @param migration the name of that migration
     * @param table what it is about; empty if that is no table
     */
    public record Step(int version, String migration, Effect effect, String table, String sql) {}

    /** What a statement does to a table that has rows, and so what it costs. */
    public enum Effect {
        /** Makes something new. */
        NEW,
        /** Changes how a table is described, and touches no row. */
        DESCRIPTION,
        /** Reads all rows of a table, which cannot be written meanwhile. */
        READS,
        /** Changes or adds rows. */
        ROWS,
        /** Writes the table or its indexes anew, or may do so. */
        REWRITES
    }

    /**
     * How far it is.
     *
     * @param number of the statement that begins now, from 1
     */
    public record Progress(MigrationPlan plan, int number) {
        public Step step() {
            return plan.steps().get(number - 1);
        }
    }
}
