package dev.headgate.internal.evidence;

import dev.headgate.evidence.ChainProof;
import dev.headgate.evidence.Verification;
import dev.headgate.internal.time.Micros;
import dev.headgate.job.Attempt;
import dev.headgate.limit.GateKey;
import dev.headgate.spi.Backend;
import dev.headgate.spi.HistoryTable.EndedStart;
import dev.headgate.spi.JournalTable.Entry;
import dev.headgate.spi.JournalTable.Standing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The journals of gates in a store, read page by page. What they are held against is read once for all of them. */
public final class StoredJournals {
    private static final int PAGE = 10_000;

    /** Of so many starts of jobs in history the newest are looked for. */
    private static final int STARTS_MAX = 4_000_000;

    private final Backend backend;
    private StoredPolicies policies;
    private final Map<GateKey, Instants> starts = new LinkedHashMap<>();

    private static final class Instants {
        private long[] all = new long[16];
        private int size;

        void add(long instant) {
            if (size == all.length) {
                all = Arrays.copyOf(all, size * 2);
            }
            all[size++] = instant;
        }

        long[] toArray() {
            return Arrays.copyOf(all, size);
        }
    }

    private record Page(List<EndedStart> jobs, Map<Long, List<Attempt>> attempts) {}

    public StoredJournals(Backend backend, Collection<GateKey> gates) {
        this.backend = backend;
        this.policies = readPolicies(backend);
        gates.forEach(gate -> starts.put(gate, new Instants()));
        readStarts();
    }

    private static StoredPolicies readPolicies(Backend backend) {
        return backend.read(tx -> new StoredPolicies(
                tx.policies().version(),
                tx.policyTable().versions(tx.policyTable().prunedUpTo(), Long.MAX_VALUE),
                tx.policies().entries()));
    }

    private void readStarts() {
        int found = 0;
        long before = Long.MAX_VALUE;
        while (found < STARTS_MAX) {
            long upTo = before;
            Page page = backend.read(tx -> {
                List<EndedStart> jobs = tx.history().starts(upTo, PAGE);
                List<Long> ids = jobs.stream()
                        .filter(job -> !gatesOf(job).isEmpty())
                        .map(EndedStart::job)
                        .toList();
                return new Page(jobs, tx.history().attempts(ids));
            });
            if (page.jobs.isEmpty()) {
                return;
            }
            for (EndedStart job : page.jobs) {
                Set<Long> instants = new HashSet<>();
                Long last = job.startedAt();
                if (last != null) {
                    instants.add(last);
                }
                page.attempts.getOrDefault(job.job(), List.of()).forEach(attempt -> add(instants, attempt.startedAt()));
                for (GateKey gate : gatesOf(job)) {
                    Instants known = Objects.requireNonNull(starts.get(gate));
                    instants.forEach(known::add);
                    found += instants.size();
                }
            }
            before = page.jobs.getLast().job();
        }
    }

    private static void add(Set<Long> instants, @Nullable Instant startedAt) {
        if (startedAt != null) {
            instants.add(Micros.of(startedAt));
        }
    }

    /** Those of the gates that the job had to pass and that are asked for. */
    private List<GateKey> gatesOf(EndedStart job) {
        List<GateKey> gates = new ArrayList<>();
        gates.add(GateKey.queue(job.lane().queue()));
        job.lane().gates().forEach(gate -> gates.add(GateKey.gate(gate)));
        gates.removeIf(gate -> !starts.containsKey(gate));
        return gates;
    }

    /**
     * Proves each of the gates; see {@link Proof}.
     *
     * @param since of those of the gates that have a certificate
     */
    public List<Verification> prove(@Nullable Instant from, @Nullable Instant to, Map<GateKey, ChainProof.End> since) {
        return starts.keySet().stream()
                .map(gate -> Proof.of(gate, of(gate), from, to, since.get(gate)))
                .toList();
    }

    /** The journal of one of the gates. */
    public Journal of(GateKey gate) {
        return new Journal() {
            @Override
            public List<Entry> after(long id) {
                return backend.read(tx -> tx.journal().read(gate, id, PAGE));
            }

            @Override
            public Standing standing() {
                return backend.read(tx -> tx.journal().standing(gate));
            }

            @Override
            public StoredPolicies policies(long version) {
                if (policies.version() < version) {
                    policies = readPolicies(backend); // they were changed since
                }
                return policies;
            }

            @Override
            public long[] starts() {
                Instants known = starts.get(gate);
                return known == null ? new long[0] : known.toArray();
            }
        };
    }

    /** The journal of one gate. */
    public static Journal of(Backend backend, GateKey gate) {
        return new StoredJournals(backend, List.of(gate)).of(gate);
    }
}
