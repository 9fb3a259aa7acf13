package dev.headgate.internal.evidence;

import dev.headgate.evidence.Certificate;
import dev.headgate.evidence.ChainProof;
import dev.headgate.evidence.Verification;
import dev.headgate.internal.time.Micros;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.Limit;
import dev.headgate.spi.JournalTable.Entry;
import dev.headgate.spi.JournalTable.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Goes through the journal of one gate, entry by entry, and judges every batch of starts by the limits that were in
 * force then. Memory does not grow with the journal, except for what windows must keep.
 *
 * <pre>{@code
 * Verification verification = Replay.of(gate, after -> store.journal(gate, after, 10_000), from, to);
 * }</pre>
 */
public final class Replay {
    private final GateKey gate;
    private final long from;
    private final long to;
    private final @Nullable Starts watcher;
    private final Map<String, Account> atGrant = new LinkedHashMap<>();
    private final Map<String, Account> untilCall = new LinkedHashMap<>();
    /** Of starts while the store's clock was behind the gate's: when they were by the first, and by the second. */
    private final Map<Long, Long> behind = new HashMap<>();

    private final Map<String, Limit> limits = new LinkedHashMap<>();
    private final Map<String, LimitTally> tallies = new LinkedHashMap<>();
    private @Nullable String policy;
    private @Nullable Instant begins;
    private long entries;
    private long late;
    private long lastStart = Check.UNKNOWN;

    /** Pages of a journal: the entries after this id, in order; none at its end. */
    @FunctionalInterface
    public interface Pages {
        List<Entry> after(long id);
    }

    /** Told of every start that time alone had kept waiting: when it could have been, and when it was. */
    @FunctionalInterface
    public interface Starts {
        void started(GateKey gate, Instant possible, Instant at);
    }

    private Replay(GateKey gate, @Nullable Instant from, @Nullable Instant to, @Nullable Starts watcher) {
        this.gate = gate;
        this.from = from == null ? Long.MIN_VALUE : Micros.of(from);
        this.to = to == null ? Long.MAX_VALUE : Micros.of(to);
        this.watcher = watcher;
    }

    /** Judges the starts from {@code from} on and before {@code to}; what came before is taken into account. */
    public static Verification of(GateKey gate, Pages pages, @Nullable Instant from, @Nullable Instant to) {
        return of(gate, pages, from, to, null);
    }

    public static Verification of(
            GateKey gate, Pages pages, @Nullable Instant from, @Nullable Instant to, @Nullable Starts watcher) {
        Replay replay = new Replay(gate, from, to, watcher);
        List<Entry> page = pages.after(0);
        replay.begins =
                page.isEmpty() ? null : Micros.instant(page.getFirst().event().at());
        while (!page.isEmpty() && page.getFirst().event().at() < replay.to) {
            page.forEach(replay::add);
            page = pages.after(page.getLast().id());
        }
        return replay.verification();
    }

    private void add(Entry entry) {
        if (entry.event().at() >= to) {
            return;
        }
        if (!entry.rule().policy().equals(policy)) {
            policy = entry.rule().policy();
            change(Limit.parseAll(entry.rule().policy()));
        }
        Entry meant = inGateTime(entry);
        switch (entry.event().kind()) {
            case START -> start(entry);
            case SETTLE -> accounts().forEach(account -> account.settle(meant));
            case RETURN -> accounts().forEach(account -> account.returned(meant));
            case LOST -> accounts().forEach(account -> account.lost(meant));
            case LATE -> late(meant);
            case CLEAR -> {
                accounts().forEach(Account::clear);
                tallies.values().forEach(LimitTally::endStretch);
                lastStart = Check.UNKNOWN;
            }
        }
    }

    private Stream<Account> accounts() {
        return Stream.concat(atGrant.values().stream(), untilCall.values().stream());
    }

    /** Jobs know their start by the store's clock, limits by the gate's, which never steps back. */
    private Entry inGateTime(Entry entry) {
        if (entry.event().kind() == Kind.START) {
            if (entry.event().startedAt() != 0
                    && entry.event().startedAt() != entry.event().at()) {
                behind.put(entry.event().startedAt(), entry.event().at());
            }
            return entry;
        }
        Long at = behind.get(entry.event().startedAt());
        return at == null ? entry : entry.withStartedAt(at);
    }

    private void late(Entry entry) {
        if (entry.event().startedAt() >= from) {
            late += entry.event().starts();
            atGrant.forEach((key, account) -> tally(Objects.requireNonNull(limits.get(key)))
                    .late(entry.event().starts(), account.check().amount(entry)));
        }
        accounts().forEach(account -> account.late(entry));
        lastStart = Math.max(lastStart, entry.event().at()); // what it gave back was not free any earlier
    }

    /** A limit that only changed its numbers remembers; one that is gone is forgotten. */
    private void change(List<Limit> inForce) {
        Map<String, Limit> before = new LinkedHashMap<>(limits);
        limits.clear();
        inForce.forEach(limit -> limits.put(limit.key(inForce), limit));
        atGrant.keySet().retainAll(limits.keySet());
        untilCall.keySet().retainAll(limits.keySet());
        limits.forEach((key, limit) -> {
            if (!atGrant.containsKey(key)) {
                atGrant.put(key, Account.atTheGrant(limit));
                if (limit.isTimed()) {
                    untilCall.put(key, Account.untilTheCall(limit));
                }
            } else if (!limit.equals(before.get(key))) {
                Stream.of(atGrant.get(key), untilCall.get(key))
                        .filter(Objects::nonNull)
                        .forEach(account -> account.change(limit));
            }
        });
        before.forEach((key, limit) -> {
            if (!limit.equals(limits.get(key))) {
                tally(limit).endStretch();
            }
        });
    }

    private LimitTally tally(Limit limit) {
        return tallies.computeIfAbsent(limit.text(), LimitTally::new);
    }

    private void start(Entry batch) {
        boolean isAsked = batch.event().at() >= from;
        if (isAsked) {
            entries++;
            if (watcher != null) {
                tellWhatWaited(batch, watcher);
            }
        }
        atGrant.forEach((key, account) -> {
            if (account.check().amount(batch) > 0) {
                boolean isJudged = account.start(batch);
                if (isAsked) {
                    LimitTally tally = tally(Objects.requireNonNull(limits.get(key)));
                    tally.add(batch, account.check());
                    if (isJudged) {
                        tally.judgeAtGrant(batch, account.check());
                    }
                }
            }
        });
        untilCall.forEach((key, account) -> {
            if (account.check().amount(batch) > 0 && account.start(batch) && isAsked) {
                tally(Objects.requireNonNull(limits.get(key)))
                        .judgeUntilCall(batch, account.check(), account.isSpanned());
            }
        });
        lastStart = batch.event().at();
    }

    private void tellWhatWaited(Entry batch, Starts listener) {
        for (long nth = 1; nth <= batch.event().starts(); nth++) {
            long possible = Check.UNKNOWN;
            for (Account account : untilCall.values()) {
                // What each job of a batch cost is not in the journal; they are taken for alike.
                long amount = Exact.ceil(
                        account.check().amount(batch), nth, batch.event().starts());
                possible = Math.max(
                        possible,
                        amount == 0
                                ? Check.UNKNOWN
                                : account.possibleAt(amount, batch.event().at()));
            }
            if (possible > lastStart && lastStart != Check.UNKNOWN) {
                listener.started(
                        gate,
                        Micros.instant(possible),
                        Micros.instant(batch.event().at()));
            }
        }
    }

    private Verification verification() {
        List<Certificate> certificates = new ArrayList<>();
        tallies.values().forEach(tally -> {
            Certificate certificate = tally.certificate();
            if (certificate != null) {
                certificates.add(certificate);
            }
        });
        return new Verification(gate, entries, begins, late, List.copyOf(certificates), ChainProof.NONE, 0, List.of());
    }
}
