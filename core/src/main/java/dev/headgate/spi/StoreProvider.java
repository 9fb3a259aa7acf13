package dev.headgate.spi;

import dev.headgate.store.MigrationPlan;
import dev.headgate.store.StoreRefusedException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Opens the store behind a URL; found by {@link java.util.ServiceLoader}. */
public interface StoreProvider {
    /** What the URL begins with, such as {@code jdbc:sqlite:}. */
    String scheme();

    /**
     * Opens the store, creating or migrating its schema.
     *
     * @throws StoreRefusedException if that is not possible, for instance because workers run that do not know what would change
     */
    Backend open(String url);

    /**
     * The same with a second URL of the same database, at which to listen for wake-ups.
     *
     * @throws IllegalArgumentException if this kind of store does not listen at a URL
     */
    default Backend open(String url, String listenUrl) {
        throw new IllegalArgumentException(
                "store %s: expected no second URL to listen at, got one; only PostgreSQL listens".formatted(scheme()));
    }

    /**
     * Opens the store to look at it. Creates, migrates and writes nothing, and waits for no writer.
     *
     * @param listenUrl as in {@link #open(String, String)}; absent if there is none
     * @throws StoreRefusedException if there is no store, or one whose tables this program does not know
     */
    default Backend openToRead(String url, @Nullable String listenUrl) {
        throw new UnsupportedOperationException("store %s: cannot be opened to be read only".formatted(scheme()));
    }

    /** Whether the place behind the URL has tables that are not Headgate's. Changes nothing. */
    default boolean hasOtherTables(String url) {
        return false;
    }

    /**
     * Finds out what an {@link #open} would do to the tables, and does none of it.
     *
     * @throws StoreRefusedException if a newer version has used the store
     */
    default MigrationPlan planMigration(String url) {
        throw new UnsupportedOperationException("store %s: has no migrations".formatted(scheme()));
    }

    /**
     * Brings the tables up to date without opening the store for anything else; takes as long as that needs.
     *
     * @param isForced whether workers of an older version that run are cut off
     * @param listener is told of each statement before it runs
     * @return what was done
     * @throws StoreRefusedException if such workers run, and are not to be cut off
     */
    default MigrationPlan migrate(String url, boolean isForced, Consumer<MigrationPlan.Progress> listener) {
        throw new UnsupportedOperationException("store %s: has no migrations".formatted(scheme()));
    }
}
