package dev.headgate.spi;

import java.util.List;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/** What job types need and take. Small: a row for each type. */
public interface ProfileTable {
    /** By type. */
    List<ProfileRow> all();

    @Nullable
    ProfileRow find(String type);

    /** Locks all of these; those that are missing are made, saying nothing. */
    List<ProfileRow> lock(SortedSet<String> types);

    /** Writes rows that are locked. */
    void save(List<ProfileRow> rows);

    /** Deletes the rows that were last written before this instant; answers how many. */
    int prune(long before);
}
