package dev.headgate.internal.evidence;

import dev.headgate.evidence.Certificate;
import dev.headgate.evidence.Verification;
import dev.headgate.internal.time.Micros;
import dev.headgate.limit.GateKey;
import dev.headgate.spi.JournalTable.Entry;
import dev.headgate.spi.JournalTable.Event;
import dev.headgate.spi.JournalTable.Kind;
import dev.headgate.spi.JournalTable.Link;
import dev.headgate.spi.JournalTable.Rule;
import dev.headgate.spi.JournalTable.Use;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A journal made by hand. Times are microseconds after {@link #BEGIN}. */
final class History {
    static final GateKey GATE = GateKey.gate("api");
    static final Instant BEGIN = Instant.parse("2026-03-28T10:00:00Z");

    private final List<Entry> entries = new ArrayList<>();
    private String policy;
    private long margin;

    private History(String policy) {
        this.policy = policy;
    }

    static History under(String policy) {
        return new History(policy);
    }

    /** From the next entry on other limits are in force. */
    History then(String changed) {
        this.policy = changed;
        return this;
    }

    /** One job of cost 1 at each of these times. */
    History starts(long... times) {
        for (long at : times) {
            batch(at, 1, 1);
        }
        return this;
    }

    /** What starts and comes back from now on has this margin. */
    History margin(long micros) {
        margin = micros;
        return this;
    }

    History batch(long at, long jobs, long units) {
        return add(at, Kind.START, jobs, units, 0, 0, at);
    }

    /** A start while the store's clock is behind the gate's. */
    History behind(long at, long jobs, long startedAt) {
        return add(at, Kind.START, jobs, jobs, 0, 0, startedAt);
    }

    /** Jobs that started then, of cost 1, have come back. */
    History back(long at, long jobs, long startedAt) {
        return back(at, jobs, jobs, startedAt);
    }

    History back(long at, long jobs, long units, long startedAt) {
        return add(at, Kind.RETURN, jobs, units, 0, 0, startedAt);
    }

    /** The worker of a job that started then was lost. */
    History lost(long at, long startedAt) {
        return add(at, Kind.LOST, 1, 1, 0, 0, startedAt);
    }

    /** Jobs that started then were late. */
    History late(long at, long jobs, long units, long startedAt) {
        return add(at, Kind.LATE, jobs, units, 0, 0, startedAt);
    }

    /** A job that starts while so much is in use after it. */
    History inUse(long at, long leases, long units) {
        return add(at, Kind.START, 1, 1, leases, units, at);
    }

    History settle(long at, long difference, long startedAt) {
        return add(at, Kind.SETTLE, 0, difference, 99, 99, startedAt);
    }

    History clear(long at) {
        return add(at, Kind.CLEAR, 0, 0, 0, 0, 0);
    }

    History batchAt(Instant at, long jobs) {
        return batch(Micros.of(at) - Micros.of(BEGIN), jobs, jobs);
    }

    private History add(long at, Kind kind, long jobs, long units, long leases, long inUse, long startedAt) {
        long begin = Micros.of(BEGIN);
        entries.add(new Entry(
                entries.size() + 1L,
                GATE,
                new Event(begin + at, kind, jobs, units, begin + startedAt, margin),
                new Use(leases, inUse),
                new Rule(policy, 1),
                Link.none(Long.MAX_VALUE)));
        return this;
    }

    List<Entry> entries() {
        return entries;
    }

    Verification verification() {
        return between(null, null);
    }

    Verification between(
            @org.jspecify.annotations.Nullable Instant from, @org.jspecify.annotations.Nullable Instant to) {
        return Replay.of(GATE, after -> page(after, 3), from, to);
    }

    private List<Entry> page(long after, int size) {
        return entries.stream().filter(entry -> entry.id() > after).limit(size).toList();
    }

    /** How many batches broke a limit. */
    long violations() {
        return verification().violations();
    }

    Certificate certificate() {
        return verification().limits().getFirst();
    }
}
