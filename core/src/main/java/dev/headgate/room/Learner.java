package dev.headgate.room;

import dev.headgate.room.Profile.Measure;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The profiles of all types: what the store knows, and what has been measured here since it was last told. Thread-safe.
 */
public final class Learner {
    private final Map<String, Profile> stored = new HashMap<>();
    private Map<String, Profile> fresh = new HashMap<>();
    private long idleLive = Long.MAX_VALUE;
    private volatile boolean isChanged;

    /** What a handler says of its runs. */
    public record Declared(Needs needs, @Nullable Long micros) {
        public static final Declared NOTHING = new Declared(Needs.NONE, null);

        public boolean isNothing() {
            return needs.isNothing() && micros == null;
        }
    }

    /** How a run came to its end. */
    public enum Finish {
        /** Its time is that of a run. */
        WHOLE,
        /** It was asked to stop: a run takes at least this time. */
        CUT,
        /** It failed: its time says nothing. */
        FAILED
    }

    /** One run has ended: what its time says depends on how, its memory counts if that could be told. */
    synchronized void ran(String type, long micros, Finish finish, long bytes, Measure by) {
        boolean isTimeNews = finish == Finish.WHOLE || (finish == Finish.CUT && micros > expected(type));
        Profile profile = fresh.computeIfAbsent(type, each -> new Profile());
        if (isTimeNews) {
            profile.took(micros);
        }
        if (bytes >= 0) {
            profile.used(bytes, by);
        }
        isChanged = true;
    }

    private long expected(String type) {
        Profile known = profile(type);
        Long micros = known == null ? null : known.micros();
        return micros == null ? 0 : micros;
    }

    /** What each of these runs has taken, by a live heap that was just found out; negative if that cannot be said. */
    synchronized long growthOfEach(long live, int runs, boolean isOneType) {
        idleLive = Math.min(idleLive, live);
        return runs > 0 && isOneType ? (live - idleLive) / runs : -1;
    }

    /** What the store does not know yet, to be brought there. */
    public synchronized Map<String, Profile> takeFresh() {
        Map<String, Profile> taken = fresh;
        fresh = new HashMap<>();
        return taken;
    }

    /** The store did not take it. */
    public synchronized void putBack(Map<String, Profile> taken) {
        taken.forEach((type, profile) ->
                fresh.computeIfAbsent(type, each -> new Profile()).add(profile));
    }

    /** What the store knows of these types, the runs of all workers together. */
    synchronized void learn(Map<String, Profile> profiles) {
        stored.putAll(profiles);
        isChanged = true;
    }

    /** Whether anything has come since the last {@link #estimates}. */
    boolean isChanged() {
        return isChanged;
    }

    synchronized Map<String, Estimate> estimates(Map<String, Declared> declared, Needs unknown) {
        isChanged = false;
        Set<String> types = new HashSet<>(stored.keySet());
        types.addAll(fresh.keySet());
        types.addAll(declared.keySet());
        Map<String, Estimate> estimates = new HashMap<>();
        for (String type : types) {
            Declared said = declared.getOrDefault(type, Declared.NOTHING);
            estimates.put(type, Estimate.of(said.needs(), said.micros(), profile(type), unknown));
        }
        return estimates;
    }

    private @Nullable Profile profile(String type) {
        Profile known = stored.get(type);
        Profile news = fresh.get(type);
        if (known == null || news == null) {
            return known == null ? news : known;
        }
        Profile both = known.copy();
        both.add(news);
        return both;
    }
}
