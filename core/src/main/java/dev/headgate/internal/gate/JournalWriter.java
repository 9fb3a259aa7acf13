package dev.headgate.internal.gate;

import dev.headgate.internal.admission.GateLedger;
import dev.headgate.internal.admission.ReleaseKind;
import dev.headgate.internal.admission.Start;
import dev.headgate.internal.time.Micros;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.Limit;
import dev.headgate.limit.Margin;
import dev.headgate.spi.JournalTable.Entry;
import dev.headgate.spi.JournalTable.Event;
import dev.headgate.spi.JournalTable.Kind;
import dev.headgate.spi.JournalTable.Link;
import dev.headgate.spi.JournalTable.Rule;
import dev.headgate.spi.JournalTable.Use;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What one transition adds to the journals of its gates: settlements and clearings first, then returns, then starts. A gate
 * adds nothing if its policy keeps no journal.
 */
final class JournalWriter {
    private static final Start NO_START = new Start(0, 0);

    private final long version;

    private final List<Entry> remarks = new ArrayList<>();
    private final Map<Back, Entry> backs = new LinkedHashMap<>();

    /** Starts that were granted together and came back together are one entry. */
    private record Back(GateKey gate, Kind kind, Start start) {}

    /** @param version of the policies that decide */
    JournalWriter(long version) {
        this.version = version;
    }

    /** An operator cleared the gate. */
    void cleared(GateLedger ledger, long now) {
        if (isKept(ledger)) {
            remarks.add(entry(ledger, Kind.CLEAR, 0, 0, NO_START, now));
        }
    }

    /** @param more how many units more this start needs than it was charged; negative if less */
    void settled(GateLedger ledger, long more, Start start, long now) {
        if (isKept(ledger)) {
            remarks.add(entry(ledger, Kind.SETTLE, 0, more, start, now));
        }
    }

    /** A start came back, so its call was not later than now. If its worker was lost, it may still make the call. */
    void ended(GateLedger ledger, long units, ReleaseKind how, Start start, long now) {
        if (!isKept(ledger)) {
            return;
        }
        if (how == ReleaseKind.LOST) {
            if (isEndless(ledger)) {
                add(ledger, Kind.LOST, units, start, now);
            }
        } else if (isEndless(ledger) || (ledger.margin() > 0 && ledger.clock(now) < start.latest())) {
            add(ledger, Kind.RETURN, units, start, now);
        }
    }

    /** A start reached no handler in time and does not count. */
    void late(GateLedger ledger, long units, Start start, long now) {
        if (isKept(ledger)) {
            add(ledger, Kind.LATE, units, start, now);
        }
    }

    private void add(GateLedger ledger, Kind kind, long units, Start start, long now) {
        Back back = new Back(ledger.key(), kind, start);
        Entry before = backs.get(back);
        backs.put(
                back,
                before == null
                        ? entry(ledger, kind, 1, units, start, now)
                        : entry(
                                ledger,
                                kind,
                                before.event().starts() + 1,
                                before.event().units() + units,
                                start,
                                now));
    }

    /** Whether a limit of the gate counts a start until it comes back, however long that takes. */
    private static boolean isEndless(GateLedger ledger) {
        for (Limit limit : ledger.policy().limits()) {
            if (limit.marginMicros() == Margin.OPEN) {
                return true;
            }
        }
        return false;
    }

    /** All entries, with the starts at these gates, in the order of the gates. */
    List<Entry> entries(Collection<GateLedger> ledgers, long now) {
        List<Entry> entries = new ArrayList<>(remarks);
        entries.addAll(backs.values());
        for (GateLedger ledger : ledgers) {
            if (ledger.starts() > 0 && isKept(ledger)) {
                ledger.started()
                        .each((margin, jobs, units) ->
                                entries.add(entry(ledger, Kind.START, jobs, units, new Start(now, margin), now)));
            }
        }
        entries.sort(Comparator.comparing(Entry::gate));
        return entries;
    }

    private static boolean isKept(GateLedger ledger) {
        return ledger.policy().options().journal() != null;
    }

    private Entry entry(GateLedger ledger, Kind kind, long starts, long units, Start start, long now) {
        Duration kept = Objects.requireNonNull(ledger.policy().options().journal(), "asked before");
        long clock = ledger.clock(now);
        return new Entry(
                0,
                ledger.key(),
                new Event(clock, kind, starts, units, start.at(), start.margin()),
                new Use(ledger.leases(), ledger.unitsInUse()),
                new Rule(Limit.textOf(ledger.policy().limits()), version),
                Link.none(clock + Micros.of(kept)));
    }
}
