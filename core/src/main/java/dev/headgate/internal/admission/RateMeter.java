package dev.headgate.internal.admission;

import dev.headgate.internal.admission.InUse.KeptFree;
import dev.headgate.internal.time.Micros;
import dev.headgate.limit.Limit;
import dev.headgate.limit.Margin;
import dev.headgate.limit.Rate;
import org.jspecify.annotations.Nullable;

/**
 * A token bucket as one instant, the theoretical arrival time: {@code micros + part/count} microseconds. The fraction
 * makes 7 per second exact: after seven tokens exactly one second has passed, not 999,999 or 1,000,006 microseconds.
 *
 * <p>Starts whose margin is not over are pending: each counts with all its units, whatever the time, and is spent when
 * it is recorded.
 */
final class RateMeter extends PendingMeter {
    private static final char PENDING = '@';
    private static final char SLACKS = '~';

    private final Rate limit;
    private final long count;
    private final long per;
    private final long burst;
    private long micros;
    private long part;
    private BucketHistory slacks = new BucketHistory();

    RateMeter(Rate limit) {
        super(limit, limit.isByCost());
        this.limit = limit;
        this.count = limit.count();
        this.per = Micros.of(limit.per());
        this.burst = limit.burst();
    }

    @Override
    Limit limit() {
        return limit;
    }

    @Override
    long opens(long clock, long cost, InUse inUse, KeptFree reserved) {
        long units = unitsOf(cost);
        if (units == 0) {
            return clock;
        }
        if (units > burst) {
            return NEVER;
        }
        long wanted = units + open(inUse) + (isByCost ? reserved.units() : reserved.leases());
        if (wanted > burst) {
            return UNTIL_RELEASE;
        }
        return pending.size() == 0 ? opens(micros, part, clock, burst - wanted) : opensAfterPending(clock, wanted);
    }

    /** When {@code room} units or fewer are spent of a bucket that is full at {@code micros + part/count}. */
    private long opens(long fullAt, long fraction, long clock, long room) {
        long missing = aheadParts(fullAt, fraction, clock) - room * per;
        return missing <= 0 ? clock : clock + Math.ceilDiv(missing, count);
    }

    /** Follows the pending starts in the order of their records: until then, the rest count in full. */
    private long opensAfterPending(long clock, long wanted) {
        long fullAt = micros;
        long fraction = part;
        long from = clock;
        long left = pending.total();
        for (int i = 0; i < pending.size(); i++) {
            long recordedAt = pending.at(i);
            if (recordedAt > from && wanted + left <= burst) {
                long opens = opens(fullAt, fraction, from, burst - wanted - left);
                if (opens < recordedAt) {
                    return opens;
                }
            }
            boolean isAfter = fullAt > recordedAt || (fullAt == recordedAt && fraction > 0);
            long parts = (isAfter ? fraction : 0) + partsOf(pending.units(i));
            fullAt = Math.min(FAR, (isAfter ? fullAt : recordedAt) + parts / count);
            fraction = parts % count;
            from = Math.max(from, recordedAt);
            left -= pending.units(i);
        }
        return opens(fullAt, fraction, from, burst - wanted);
    }

    @Override
    long used(long clock, InUse inUse) {
        return burst - Math.max(0, tokens(clock) - open(inUse));
    }

    @Override
    long most() {
        return burst;
    }

    @Override
    String figures(long clock, long cost, InUse inUse) {
        return burst - used(clock, inUse) + " of " + burst + " tokens";
    }

    /**
     * A bucket that is nearly full can afford the longest margin: it costs the limit a twentieth of its burst at most.
     * In return a worker may start many jobs in one turn while the rate is far from being reached.
     */
    @Override
    long margin(long clock, long cost) {
        boolean isAutomatic = margin > 0 && limit.margin().equals(Margin.AUTO);
        return isAutomatic && spent(clock) + unitsOf(cost) <= burst / Margin.AUTO_PART ? Margin.AUTO_MAX : margin;
    }

    /** How many units have not come back, rounded up. */
    private long spent(long clock) {
        return pending.total() + Math.ceilDiv(aheadParts(micros, part, clock), per);
    }

    /** Whole tokens now. */
    long tokens(long clock) {
        RateMeter now = pending.size() == 0 ? this : (RateMeter) copy();
        now.recordDue(clock);
        long whole = Math.max(0, burst * per - aheadParts(now.micros, now.part, clock)) / per;
        return Math.max(0, whole - now.pending.total());
    }

    @Override
    void record(long instant, long units) {
        if (units == 0) {
            return;
        }
        slacks.push(instant, aheadParts(micros, part, instant));
        if (!isAfter(instant)) {
            micros = instant;
            part = 0;
        }
        long parts = part + partsOf(units);
        micros = Math.min(FAR, micros + parts / count);
        part = parts % count;
    }

    private long partsOf(long units) {
        return Math.min(units, (Long.MAX_VALUE / 4) / per) * per;
    }

    /** The units come back as tokens, but never more of them than if they had not been taken. */
    @Override
    void refund(long latest, long units, long clock) {
        long parts = slacks.refund(latest, partsOf(units));
        long left = part - parts % count;
        micros -= parts / count + (left < 0 ? 1 : 0);
        part = left < 0 ? left + count : left;
    }

    @Override
    void exhaust(long clock) {
        pending.clear();
        first = clock;
        spentAt(clock, burst * per);
    }

    @Override
    boolean isUnused() {
        return micros == 0;
    }

    @Override
    boolean isFree(long clock) {
        return !isAfter(clock);
    }

    private boolean isAfter(long clock) {
        return micros > clock || (micros == clock && part > 0);
    }

    /** How far an instant lies ahead, in count-ths of a microsecond; saturates far in the future. */
    private long aheadParts(long instant, long fraction, long clock) {
        if (instant < clock || (instant == clock && fraction == 0)) {
            return 0;
        }
        long ahead = instant - clock;
        return ahead > FAR / count ? FAR : ahead * count + fraction;
    }

    /** The count with which this memory was written. */
    static long countOf(String memory) {
        int slash = memory.indexOf('/');
        if (slash < 0) {
            return 1; // nothing was recorded yet
        }
        int end = slash + 1;
        while (end < memory.length() && Character.isDigit(memory.charAt(end))) {
            end++;
        }
        return Long.parseLong(memory.substring(slash + 1, end));
    }

    @Override
    void read(String text, long seen) {
        String memory = readFirst(text);
        int slash = memory.indexOf('/');
        int plus = memory.lastIndexOf('+', slash);
        int waiting = memory.indexOf(PENDING);
        int slack = memory.indexOf(SLACKS);
        long of = countOf(memory);
        if (slack > 0) {
            slacks.read(memory.substring(slack + 1));
        }
        if (waiting > 0) {
            pending.read(memory.substring(waiting + 1, slack > 0 ? slack : memory.length()));
        }
        micros = Long.parseLong(memory.substring(0, plus < 0 ? slash : plus));
        part = plus < 0 ? 0 : Long.parseLong(memory.substring(plus + 1, slash));
        if (of < 1 || part < 0 || part >= of) {
            throw new IllegalArgumentException("bucket: expected 0 <= part < of, got " + memory);
        }
        if (of != count) {
            convert(of, seen);
        }
    }

    /** The same units are spent, and come back at the new rate from the last start on. */
    private void convert(long of, long seen) {
        RateMeter old = new RateMeter(new Rate(of, limit.per(), 1, isByCost));
        old.micros = micros;
        old.part = part;
        old.pending = pending;
        old.recordDue(seen);
        long ahead = old.aheadParts(old.micros, old.part, seen);
        if (ahead > 0) {
            spentAt(seen, ahead);
        } else {
            micros = Math.min(old.micros + 1, seen);
            part = 0;
            slacks.clear();
        }
    }

    /** This much is spent as of then. The part of earlier starts is not known any more, so they give nothing back. */
    private void spentAt(long seen, long parts) {
        micros = seen + parts / count;
        part = parts % count;
        slacks.clear();
        slacks.push(seen + 1, 0);
    }

    /** Units that were spent and had not come back at {@code seen} are spent here too, up to the burst. */
    @Override
    void carryOver(Meter other, long seen) {
        RateMeter old = (RateMeter) other;
        takeOver(old);
        old.recordDue(seen);
        long spent = Math.min(burst, Math.ceilDiv(old.aheadParts(old.micros, old.part, seen), old.per));
        if (spent * per > aheadParts(micros, part, seen)) {
            spentAt(seen, spent * per);
        }
        if (old.pending.total() > pending.total()) {
            pending = old.pending;
        }
    }

    @Override
    @Nullable
    String write(long seen) {
        if (!isAfter(seen) && pending.size() == 0) {
            return null;
        }
        StringBuilder text = new StringBuilder().append(micros);
        if (part > 0) {
            text.append('+').append(part);
        }
        text.append('/').append(count);
        if (pending.size() > 0) {
            pending.write(text.append(PENDING));
        }
        if (!slacks.isEmpty()) {
            slacks.write(text.append(SLACKS));
        }
        return text.append(firstText(slacks.isEmpty() ? first : slacks.from())).toString();
    }

    @Override
    Meter copy() {
        RateMeter copy = new RateMeter(limit);
        copy.first = first;
        copy.micros = micros;
        copy.part = part;
        copy.pending = pending.copy();
        copy.slacks = slacks.copy();
        return copy;
    }
}
