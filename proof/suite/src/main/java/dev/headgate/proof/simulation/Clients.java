package dev.headgate.proof.simulation;

import dev.headgate.internal.job.JobStore;
import dev.headgate.job.JobId;
import dev.headgate.job.Unmet;
import dev.headgate.limit.BacklogFullException;
import dev.headgate.proof.Jobs;
import dev.headgate.spi.JobTable.Inserted;
import dev.headgate.spi.NewJob;
import dev.headgate.store.StoreUnavailableException;
import dev.headgate.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Clients that enqueue, cancel and retry, each through a line of its own. The answers are their log: acknowledged,
 * refused, or unknown.
 */
final class Clients {
    private final Options options;
    private final Timeline timeline;
    private final Tracks tracks;
    private final Judge judge;
    private final Store store;
    private final List<Client> clients = new ArrayList<>();
    private final List<Long> acknowledged = new ArrayList<>();
    private long tokens;
    private long unknown;
    private boolean isOver;

    Clients(World.Parts parts, Store store) {
        this.options = parts.options();
        this.timeline = parts.timeline();
        this.tracks = parts.tracks();
        this.judge = parts.judge();
        this.store = store;
        for (int i = 0; i < options.clients(); i++) {
            clients.add(new Client(i));
        }
    }

    void open() {
        clients.forEach(client -> timeline.after(5_000_000, null, client::act));
    }

    /** Nothing new comes. */
    void stop() {
        isOver = true;
    }

    Line line(int target) {
        return clients.get(target % clients.size()).line;
    }

    /** Every job of which a client was told that it is there. */
    List<Long> acknowledged() {
        return acknowledged;
    }

    long unknown() {
        return unknown;
    }

    private final class Client {
        private final Host host;
        private final Line line;
        private final Dice dice;
        private final JobStore jobs;
        private final List<String> gates;
        private boolean isBusy;

        private Client(int number) {
            this.host = new Host("client-" + number);
            this.host.up();
            this.dice = Dice.of(options.seed(), 500 + number);
            this.line = new Line(host, store, Dice.of(options.seed(), 700 + number));
            this.jobs = new JobStore(line, timeline::now);
            this.gates = Options.gates(options.gateCount());
        }

        private void act() {
            if (isOver) {
                return;
            }
            timeline.after(dice.between(1, 2 * options.clientEveryNanos()), null, this::act);
            if (isBusy) {
                return;
            }
            isBusy = true;
            try {
                if (dice.oneIn(5)) {
                    operate();
                } else if (tracks.live() < options.liveMax()) {
                    enqueue();
                }
            } catch (StoreUnavailableException away) {
                unknown++;
            } catch (BacklogFullException | IllegalArgumentException refused) {
                judge.noted(Judge.OPERATE, 0, 0, timeline.now());
            } finally {
                isBusy = false;
            }
        }

        private void enqueue() {
            List<NewJob> batch = new ArrayList<>();
            int count = 1 + dice.below(options.batchMax());
            for (int i = 0; i < count; i++) {
                batch.add(draft().build());
            }
            for (Inserted row : jobs.enqueue(batch)) {
                acknowledged.add(row.id());
                if (tracks.find(row.id()) == null) {
                    judge.broken("I1", "job %d: acknowledged, but it was never stored".formatted(row.id()));
                }
            }
        }

        private Jobs.Draft draft() {
            List<String> picked = new ArrayList<>();
            int count = dice.oneIn(3) ? 0 : 1 + dice.below(3);
            for (int i = 0; i < count; i++) {
                String gate = dice.pick(gates);
                if (!picked.contains(gate)) {
                    picked.add(gate);
                }
            }
            Jobs.Draft draft = Jobs.job(dice.pick(Options.QUEUES))
                    .type(World.TYPES.get(dice.oneIn(6) ? 1 : 0))
                    .payload(World.CODEC.write("payload", new Payload(++tokens, picked)))
                    .cost(dice.below(4))
                    .attempts(1 + dice.below(5));
            for (String gate : picked) {
                if (dice.oneIn(6)) {
                    draft.gate(gate, dice.below(5));
                } else {
                    draft.gate(gate);
                }
            }
            return dice.oneIn(2) ? draft : special(draft);
        }

        private Jobs.Draft special(Jobs.Draft draft) {
            long wall = tracks.now() + host.wallOffsetMicros();
            switch (dice.below(10)) {
                case 0, 1 -> draft.priority(dice.below(4) - 1);
                case 2 -> draft.front();
                case 3 -> draft.after(Duration.ofMillis(dice.below(2_000)));
                case 4 -> draft.at(dev.headgate.internal.time.Micros.instant(wall + dice.below(2_000_000)));
                case 5, 9 -> {
                    draft.dedup("key " + dice.below(6));
                    if (dice.oneIn(2)) {
                        draft.dedupFor(Duration.ofMillis(1 + dice.below(3_000)));
                    }
                }
                case 6 -> draft.deadline(dev.headgate.internal.time.Micros.instant(wall + dice.below(6_000_000)));
                case 7 -> draft.timeout(Duration.ofMillis(50 + dice.below(3_000)));
                default -> {
                    if (!acknowledged.isEmpty()) {
                        Unmet unmet = dice.pick(List.of(Unmet.values()));
                        int newest = Math.min(acknowledged.size(), 20);
                        draft.after(unmet, JobId.of(acknowledged.get(acknowledged.size() - 1 - dice.below(newest))));
                    }
                }
            }
            return draft;
        }

        /** One of the newest, and if there is one at hand, one that runs: what was done with and ended long ago tells little. */
        private JobId one() {
            int newest = Math.min(acknowledged.size(), 200);
            long id = 0;
            for (int i = dice.below(6); i >= 0; i--) {
                id = acknowledged.get(acknowledged.size() - 1 - dice.below(newest));
                Track track = tracks.find(id);
                if (track != null && track.stand == Track.Stand.RUNNING) {
                    break;
                }
            }
            return JobId.of(id);
        }

        private void operate() {
            if (acknowledged.isEmpty()) {
                return;
            }
            JobId id = one();
            judge.noted(Judge.OPERATE, id.value(), 0, timeline.now());
            switch (dice.below(12)) {
                case 0, 1, 2, 3 -> jobs.cancel(id);
                case 4, 5 -> jobs.retry(id);
                case 6 -> jobs.delete(id);
                case 7 -> jobs.reschedule(id, null);
                case 8 ->
                    jobs.reschedule(
                            id, VirtualTime.START.plusNanos(timeline.now()).plusSeconds(1));
                case 9 -> jobs.explain(id);
                case 10 -> jobs.overview(10);
                default -> {
                    if (!jobs.recount().isEmpty()) {
                        judge.broken("I13", "gates have drifted: " + jobs.recount());
                    }
                }
            }
        }
    }
}
