package dev.headgate;

import dev.headgate.store.MigrationPlan;
import java.util.function.Consumer;

/**
 * The tables of a store, brought up to date by hand. {@link Headgate#open(String)} does so by itself; this class shows
 * beforehand what will be done, or does it with a database role that workers do not have.
 */
public final class Migrations {
    private Migrations() {}

    /**
     * Finds out what would be done, and does none of it.
     *
     * @throws dev.headgate.store.StoreRefusedException if a newer version has used the store
     */
    public static MigrationPlan plan(String url) {
        return StoreFinder.provider(url).planMigration(url);
    }

    /**
     * Whether the place behind the URL has tables that are not Headgate's: a database that others use, or one whose name was
     * mistyped. Changes nothing.
     */
    public static boolean hasOtherTables(String url) {
        return StoreFinder.provider(url).hasOtherTables(url);
    }

    /**
     * Brings the tables up to date, in one transaction. It may take as long as it needs; workers wait meanwhile.
     *
     * @param listener is told of each statement before it runs
     * @return what was done
     * @throws dev.headgate.store.StoreRefusedException if workers run that do not know what would change; it names them
     */
    public static MigrationPlan run(String url, Consumer<MigrationPlan.Progress> listener) {
        return StoreFinder.provider(url).migrate(url, false, listener);
    }

    /**
     * The same although workers of an older version run. They are cut off: their next write is refused, their leases end, and
     * what they run then runs again.
     */
    public static MigrationPlan force(String url, Consumer<MigrationPlan.Progress> listener) {
        return StoreFinder.provider(url).migrate(url, true, listener);
    }
}
