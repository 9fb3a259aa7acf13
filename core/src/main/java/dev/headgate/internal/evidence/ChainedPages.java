package dev.headgate.internal.evidence;

import dev.headgate.evidence.ChainProof;
import dev.headgate.evidence.Verification.Finding;
import dev.headgate.internal.time.Micros;
import dev.headgate.limit.Limit;
import dev.headgate.spi.JournalChain;
import dev.headgate.spi.JournalTable.Entry;
import dev.headgate.spi.JournalTable.Kind;
import dev.headgate.spi.JournalTable.Standing;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The pages of a journal up to the first row that does not follow the one before it, or says what cannot be. Rows behind that
 * one prove nothing.
 *
 * <p>Workers may go on meanwhile. What the gate's row says is read first, and the rows up to there are looked at; if one is missing
 * or there are more, the gate's row is read again, because rows may have been appended or deleted in their time.
 */
final class ChainedPages implements Replay.Pages {
    private final Journal journal;
    private Standing standing;
    private final JournalChain target;
    private final @Nullable Continuation continuation;
    private long first;
    private long last;
    private String lastHash;
    private long lastId;
    private @Nullable String readable;
    private boolean isOver;
    private @Nullable Finding finding;

    /** @param since where a certificate ends, from which the journal must go on */
    ChainedPages(Journal journal, ChainProof.@Nullable End since) {
        this.journal = journal;
        this.continuation = since == null ? null : new Continuation(since);
        this.standing = journal.standing();
        this.target = standing.chain();
        this.last = standing.pruned();
        this.lastHash = standing.prunedHash();
        this.first = last + 1;
        tellPruned();
        boolean isAllPruned = last == target.count();
        if (last > target.count() || (isAllPruned && !lastHash.equals(target.head()))) {
            stop(missing(
                    "the gate has noted that rows up to %d were deleted in their time, which is not what it has written"
                            .formatted(last)));
        }
    }

    @Override
    public List<Entry> after(long id) {
        List<Entry> fitting = new ArrayList<>();
        List<Entry> page = isOver ? List.of() : journal.after(id);
        for (Entry entry : page) {
            if (!isOver && isFitting(entry)) {
                fitting.add(entry);
                lastId = entry.id();
            }
        }
        if (page.isEmpty() && !isOver) {
            end();
        }
        return fitting;
    }

    /** Whether there is nothing more to look at. */
    boolean isOver() {
        return isOver;
    }

    /** The id of the last row that was looked at. */
    long lastId() {
        return lastId;
    }

    ChainProof proof() {
        return new ChainProof(first, last, lastHash);
    }

    /** What is wrong; what the rows are is told before where they come from. */
    List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        if (finding != null) {
            findings.add(finding);
        }
        Finding other = continuation == null ? null : continuation.finding();
        if (other != null) {
            findings.add(other);
        }
        return findings;
    }

    private void tellPruned() {
        if (continuation != null) {
            continuation.pruned(last, lastHash);
        }
    }

    private boolean isFitting(Entry entry) {
        String impossible = impossible(entry);
        if (!follows(entry) && !followsWhatWasPruned(entry)) {
            stop(found(Finding.Kind.BROKEN, entry, whyBroken(entry)));
            return false;
        }
        if (entry.link().number() > target.count()) {
            stop(isCounted(entry) ? null : found(Finding.Kind.BROKEN, entry, added(target.count())));
            return false;
        }
        if (entry.link().number() == target.count() && !entry.link().hash().equals(target.head())) {
            String text = "its hash is not the one that the gate has noted of its last row";
            stop(found(Finding.Kind.BROKEN, entry, text));
            return false;
        }
        if (impossible != null) {
            stop(found(Finding.Kind.IMPOSSIBLE, entry, impossible));
            return false;
        }
        last = entry.link().number();
        lastHash = entry.link().hash();
        if (continuation != null) {
            continuation.passed(last, lastHash);
        }
        return true;
    }

    private boolean follows(Entry entry) {
        return entry.link().number() == last + 1
                && JournalChain.hash(lastHash, entry).equals(entry.link().hash());
    }

    /** Whether the rows in between were deleted in their time, since the last page was read. */
    private boolean followsWhatWasPruned(Entry entry) {
        standing = journal.standing();
        if (standing.pruned() <= last || standing.pruned() != entry.link().number() - 1) {
            return false;
        }
        last = standing.pruned();
        lastHash = standing.prunedHash();
        first = last + 1;
        tellPruned();
        return follows(entry);
    }

    /** Whether the gate has written this row since. */
    private boolean isCounted(Entry entry) {
        standing = journal.standing();
        return standing.chain().count() >= entry.link().number();
    }

    private void end() {
        if (last < target.count()) {
            standing = journal.standing();
        }
        boolean isComplete = last >= target.count() || standing.pruned() >= target.count();
        stop(
                isComplete
                        ? null
                        : missing("%s missing at the end: the gate has written %d"
                                .formatted(rows(last + 1, target.count()), target.count())));
    }

    private void stop(@Nullable Finding why) {
        isOver = true;
        finding = why;
        if (why == null && continuation != null) {
            continuation.ended(last);
        }
    }

    private Finding missing(String text) {
        return new Finding(Finding.Kind.BROKEN, last + 1, 0, null, text);
    }

    private static Finding found(Finding.Kind kind, Entry entry, String text) {
        return new Finding(
                kind,
                entry.link().number(),
                entry.id(),
                Micros.instant(entry.event().at()),
                text);
    }

    private String whyBroken(Entry entry) {
        if (entry.link().number() == 0 && entry.link().hash().isEmpty()) {
            return added(last);
        }
        if (entry.link().number() > last + 1) {
            return "%s missing before it".formatted(rows(last + 1, entry.link().number() - 1));
        }
        if (entry.link().number() < last + 1) {
            return "it stands where row %d belongs: rows were added or moved".formatted(last + 1);
        }
        return "what it says and its hash do not agree: it was changed";
    }

    private static String added(long behind) {
        return "the gate has not written it: it was added behind row %d".formatted(behind);
    }

    private static String rows(long from, long to) {
        return from == to ? "row %d is".formatted(from) : "rows %d to %d are".formatted(from, to);
    }

    private @Nullable String impossible(Entry entry) {
        boolean isAboutStarts =
                entry.event().kind() != Kind.SETTLE && entry.event().kind() != Kind.CLEAR;
        if (isAboutStarts ? entry.event().starts() < 1 : entry.event().starts() != 0) {
            return "a row of kind %s cannot have %d starts"
                    .formatted(entry.event().kind(), entry.event().starts());
        }
        if (isAboutStarts && entry.event().units() < 0) {
            return "a row of kind %s cannot have %d units"
                    .formatted(entry.event().kind(), entry.event().units());
        }
        if (entry.use().leases() < 0 || entry.use().units() < 0 || entry.event().margin() < 0) {
            return "leases, units in use and margin cannot be below 0";
        }
        if (entry.rule().policy().equals(readable)) {
            return null;
        }
        try {
            Limit.parseAll(entry.rule().policy());
            readable = entry.rule().policy();
            return null;
        } catch (IllegalArgumentException unreadable) {
            return "its limits cannot be read: " + unreadable.getMessage();
        }
    }
}
