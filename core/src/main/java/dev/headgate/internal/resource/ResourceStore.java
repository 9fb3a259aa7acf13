package dev.headgate.internal.resource;

import dev.headgate.internal.resource.ProfileLearner.Declared;
import dev.headgate.internal.time.Micros;
import dev.headgate.resource.Needs;
import dev.headgate.resource.TypeFigures;
import dev.headgate.spi.Backend;
import dev.headgate.spi.ProfileRow;
import dev.headgate.spi.StoreTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What job types take and what capacity workers have, as all workers know it. Thread-safe. */
public final class ResourceStore {
    /** How often a declaration is written again, to show that it is in use. */
    private static final long DECLARED_AGAIN = 86_400 * Micros.PER_SECOND;

    private final Backend backend;

    public ResourceStore(Backend backend) {
        this.backend = backend;
    }

    /** What the runs of all workers have shown, by job type. */
    public Map<String, Profile> profiles() {
        return backend.read(tx -> {
            Map<String, Profile> profiles = new HashMap<>();
            for (ProfileRow row : tx.profiles().all()) {
                if (!row.runs().isEmpty()) {
                    profiles.put(row.type(), Profile.parse(row.runs()));
                }
            }
            return profiles;
        });
    }

    /** What is declared and learnt of each job type, by name. */
    public List<TypeFigures> types() {
        return backend.read(
                tx -> tx.profiles().all().stream().map(ResourceStore::figures).toList());
    }

    private static TypeFigures figures(ProfileRow row) {
        Profile profile = row.runs().isEmpty() ? new Profile() : Profile.parse(row.runs());
        Long expected = row.expected();
        Long time = profile.micros();
        return new TypeFigures(
                row.type(),
                Needs.parse(row.needs()),
                expected == null ? null : Micros.duration(expected),
                profile.runs(),
                time == null ? null : Micros.duration(time),
                profile.memory());
    }

    /** Adds runs to what is known; returns the profiles of these types as they are now. */
    public Map<String, Profile> learn(Map<String, Profile> fresh) {
        return backend.write(tx -> {
            Map<String, ProfileRow> known = lock(tx, fresh.keySet());
            Map<String, Profile> merged = new HashMap<>();
            List<ProfileRow> changed = new ArrayList<>();
            long now = tx.now();
            for (String type : new TreeSet<>(fresh.keySet())) {
                ProfileRow row = known.getOrDefault(type, ProfileRow.fresh(type));
                Profile profile = row.runs().isEmpty() ? new Profile() : Profile.parse(row.runs());
                profile.add(Objects.requireNonNull(fresh.get(type)));
                merged.put(type, profile);
                changed.add(new ProfileRow(type, row.needs(), row.expected(), profile.text(), now));
            }
            tx.profiles().save(changed);
            return merged;
        });
    }

    /** Stores what handlers declare, so that explain can say why a job waits. The last declaration counts. */
    public void declare(Map<String, Declared> declared) {
        if (declared.isEmpty()) {
            return;
        }
        backend.write(tx -> {
            Map<String, ProfileRow> known = lock(tx, declared.keySet());
            List<ProfileRow> changed = new ArrayList<>();
            long now = tx.now();
            for (String type : new TreeSet<>(declared.keySet())) {
                ProfileRow row = known.getOrDefault(type, ProfileRow.fresh(type));
                Declared said = Objects.requireNonNull(declared.get(type));
                ProfileRow after = new ProfileRow(type, said.needs().text(), said.micros(), row.runs(), now);
                if (!after.saysTheSameAs(row) || now - row.updatedAt() > DECLARED_AGAIN) {
                    changed.add(after);
                }
            }
            if (!changed.isEmpty()) {
                tx.profiles().save(changed);
            }
            return null;
        });
    }

    private static Map<String, ProfileRow> lock(StoreTransaction tx, Iterable<String> types) {
        TreeSet<String> ordered = new TreeSet<>();
        types.forEach(ordered::add);
        Map<String, ProfileRow> known = new HashMap<>();
        tx.profiles().lock(ordered).forEach(row -> known.put(row.type(), row));
        return known;
    }

    /** Tells all workers the slots and the capacity of this one. Comes with a heartbeat, so it waits for no other connection. */
    public void publish(String worker, int slots, String room) {
        publish(worker, slots, room, null, null);
    }

    /**
     * The same, and the state of its own limiter.
     *
     * @param shut why its own limiter lets nothing start; absent if it does, or there is none
     * @param opens how long until time alone opens that; absent if a release must come first, {@link LimiterClosure#NEVER} if it never opens
     */
    public void publish(String worker, int slots, String room, @Nullable String shut, @Nullable Duration opens) {
        backend.writeApart(tx -> {
            String limiter =
                    shut == null ? "" : LimiterClosure.of(shut, opens, tx.now()).text();
            tx.workers().publish(worker, slots, room + limiter);
            return null;
        });
    }

    /** What a type declares or has shown. */
    public static @Nullable Known known(StoreTransaction tx, String type) {
        ProfileRow row = tx.profiles().find(type);
        if (row == null) {
            return null;
        }
        Profile profile = row.runs().isEmpty() ? null : Profile.parse(row.runs());
        return new Known(Needs.parse(row.needs()), row.expected(), profile);
    }

    /** What is known of one type. */
    public record Known(
            Needs needs, @Nullable Long micros, @Nullable Profile profile) {}
}
