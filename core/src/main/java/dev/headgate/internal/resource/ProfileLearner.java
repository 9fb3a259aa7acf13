package dev.headgate.internal.resource;

import dev.headgate.resource.Needs;
import dev.headgate.resource.TypeFigures;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The profiles of all types: what the store knows, and what was measured here since the last save. Decides which runs
 * are measured: the first ones of a type, and a few of those that follow. Thread-safe.
 */
public final class ProfileLearner {
    /** Of the runs after the first ones, one in this many is measured. */
    private static final int SAMPLE_OF = 16;

    private final Map<String, Profile> stored = new HashMap<>();
    private final Map<String, Watched> watched = new HashMap<>();
    private Map<String, Profile> fresh = new HashMap<>();
    private volatile boolean isChanged;
    private volatile boolean isUrgent;

    /** What a handler declares about its runs. */
    public record Declared(Needs needs, @Nullable Long micros) {
        public static final Declared NOTHING = new Declared(Needs.NONE, null);

        public boolean isNothing() {
            return needs.isNothing() && micros == null;
        }
    }

    /** How a run came to its end. */
    public enum Finish {
        /** Complete: its figures are those of a run. */
        WHOLE,
        /** It was asked to stop: a run takes at least this. */
        CUT,
        /** It failed, or was not entered: its time says nothing, and its memory is a part at most. */
        FAILED
    }

    /** The runs of a type that have begun in this worker. */
    private static final class Watched {
        private int runs;
        private int atWork;
        private boolean isKnown;
    }

    /** Whether to measure the run that begins now. If so, {@link #ran} must follow with the same value. */
    synchronized boolean isToMeasure(String type) {
        Watched of = watched.computeIfAbsent(type, each -> new Watched());
        TypeFigures.Memory memory = of.isKnown ? null : memory(profile(type));
        int measured = memory == null ? 0 : memory.runs();
        of.isKnown |= measured >= Profile.SAMPLES_MIN;
        boolean isFirst = !of.isKnown && measured + of.atWork < Profile.SAMPLES_MIN;
        boolean isSample = of.runs++ % SAMPLE_OF == 0;
        of.atWork += isFirst || isSample ? 1 : 0;
        return isFirst || isSample;
    }

    /**
     * One run has ended. An incomplete run counts only where it exceeds what is known.
     *
     * @param bytes what it has allocated; negative if that is not known
     * @param wasMeasured as {@link #isToMeasure} returned
     */
    synchronized void ran(String type, long micros, Finish finish, long bytes, boolean wasMeasured) {
        Watched of = watched.get(type);
        if (wasMeasured && of != null) {
            of.atWork--;
        }
        boolean isWhole = finish == Finish.WHOLE;
        Profile known = isWhole && bytes < 0 ? null : profile(type); // most runs need no lookup
        boolean isTimeNews = isWhole || (finish == Finish.CUT && micros > expected(known));
        TypeFigures.Memory memory = memory(known);
        boolean isMemoryNews = bytes >= 0 && (isWhole || (memory != null && bytes > memory.bytes()));
        Profile profile = fresh.computeIfAbsent(type, each -> new Profile());
        if (isTimeNews) {
            profile.took(micros);
        }
        if (isMemoryNews) {
            profile.used(bytes);
            isUrgent |= memory == null || memory.runs() < Profile.SAMPLES_MIN || bytes > memory.bytes();
        }
        isChanged = true;
    }

    private static TypeFigures.@Nullable Memory memory(@Nullable Profile known) {
        return known == null ? null : known.memory();
    }

    private static long expected(@Nullable Profile known) {
        Long micros = known == null ? null : known.micros();
        return micros == null ? 0 : micros;
    }

    /** What the store does not know yet, to be saved. */
    public synchronized Map<String, Profile> takeFresh() {
        Map<String, Profile> taken = fresh;
        fresh = new HashMap<>();
        return taken;
    }

    /** The save failed. */
    public synchronized void putBack(Map<String, Profile> taken) {
        taken.forEach((type, profile) ->
                fresh.computeIfAbsent(type, each -> new Profile()).add(profile));
    }

    /** What the store knows of these types, from the runs of all workers. */
    synchronized void learn(Map<String, Profile> profiles) {
        stored.putAll(profiles);
        isChanged = true;
    }

    /** Whether anything has changed since the last {@link #estimates}. */
    boolean isChanged() {
        return isChanged;
    }

    /** Whether the change must not wait: the first runs of a type, or one that took more than any before. */
    boolean isUrgent() {
        return isUrgent;
    }

    /**
     * @param unknown what a type needs of which nothing is known; absent means a guess
     * @param apart types whose runs cannot be measured, because their work is done on other threads
     */
    synchronized Map<String, Estimate> estimates(
            Map<String, Declared> declared, @Nullable Needs unknown, Set<String> apart) {
        isChanged = false;
        isUrgent = false;
        Set<String> types = new HashSet<>(stored.keySet());
        types.addAll(fresh.keySet());
        types.addAll(declared.keySet());
        types.addAll(apart);
        Map<String, Estimate> estimates = new HashMap<>();
        for (String type : types) {
            Declared said = declared.getOrDefault(type, Declared.NOTHING);
            Estimate estimate = Estimate.of(said.needs(), said.micros(), profile(type), unknown);
            estimates.put(type, apart.contains(type) || !ThreadMemory.canTell() ? estimate.unmeasured() : estimate);
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
