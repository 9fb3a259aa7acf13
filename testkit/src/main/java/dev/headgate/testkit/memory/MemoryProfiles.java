package dev.headgate.testkit.memory;

import dev.headgate.spi.ProfileRow;
import dev.headgate.spi.ProfileTable;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/** Profiles by job type. */
final class MemoryProfiles implements ProfileTable {
    private final Rows<String, ProfileRow> profiles;

    MemoryProfiles(Journal journal) {
        this.profiles = new Rows<>(journal, ProfileRow::type, List.of());
    }

    @Override
    public List<ProfileRow> all() {
        return profiles.all().values().stream()
                .sorted(Comparator.comparing(ProfileRow::type))
                .toList();
    }

    @Override
    public @Nullable ProfileRow find(String type) {
        return profiles.get(type);
    }

    @Override
    public List<ProfileRow> lock(SortedSet<String> types) {
        for (String type : types) {
            if (profiles.get(type) == null) {
                profiles.put(ProfileRow.fresh(type));
            }
        }
        return all().stream().filter(row -> types.contains(row.type())).toList();
    }

    @Override
    public void save(List<ProfileRow> rows) {
        rows.forEach(profiles::put);
    }

    @Override
    public int prune(long before) {
        List<ProfileRow> old =
                all().stream().filter(row -> row.updatedAt() < before).toList();
        old.forEach(row -> profiles.remove(row.type()));
        return old.size();
    }
}
