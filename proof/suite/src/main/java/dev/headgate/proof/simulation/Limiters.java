package dev.headgate.proof.simulation;

import dev.headgate.internal.admission.ReleaseKind;
import dev.headgate.internal.limiter.PermitStore;
import dev.headgate.internal.limiter.PermitStore.Granted;
import dev.headgate.internal.limiter.PermitStore.Part;
import dev.headgate.internal.time.Micros;
import dev.headgate.limit.GateKey;
import dev.headgate.store.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Callers that take places at gates without a job, as limiters do, make their calls, and give the places back, keep them
 * longer, or forget them. A permit that reaches its owner too late for its limits is given up.
 */
final class Limiters {
    private final Options options;
    private final Timeline timeline;
    private final Tracks tracks;
    private final Judge judge;
    private final Store store;
    private final List<GateKey> gates;
    private final List<Asker> askers = new ArrayList<>();
    private long permits;
    private boolean isOver;

    Limiters(World.Parts parts, Store store) {
        this.options = parts.options();
        this.timeline = parts.timeline();
        this.tracks = parts.tracks();
        this.judge = parts.judge();
        this.store = store;
        this.gates =
                Options.gates(options.gateCount()).stream().map(GateKey::gate).toList();
        for (int i = 0; i < options.limiters(); i++) {
            askers.add(new Asker(i));
        }
    }

    void open() {
        askers.forEach(asker -> timeline.after(7_000_000, null, asker::act));
    }

    /** No limiter asks any more, and places in use are forgotten: they end by themselves. */
    void stop() {
        isOver = true;
    }

    /** A permit in the hands of its owner. */
    private static final class Used {
        private final List<Part> parts;
        private final StartRef ref;
        private boolean isOver;

        private Used(List<Part> parts, StartRef ref) {
            this.parts = parts;
            this.ref = ref;
        }
    }

    private final class Asker {
        private final Dice dice;
        private final Line line;
        private final PermitStore store;
        private boolean isBusy;

        private Asker(int number) {
            Host host = new Host("limiter-" + number);
            host.up();
            this.dice = Dice.of(options.seed(), 960 + 2L * number);
            this.line = new Line(host, Limiters.this.store, Dice.of(options.seed(), 961 + 2L * number));
            this.store = new PermitStore(line, timeline::now);
        }

        private void act() {
            if (!isOver) {
                timeline.after(dice.between(1, 2 * options.limiterEveryNanos()), null, this::act);
                attempt(this::ask);
            }
        }

        private void attempt(Runnable what) {
            if (isBusy || isOver) {
                return;
            }
            isBusy = true;
            try {
                what.run();
            } catch (StoreUnavailableException away) {
                judge.mixed(Judge.PERMIT, -1);
            } finally {
                isBusy = false;
            }
        }

        private Duration timeToLive() {
            return Duration.ofMillis(dice.spread(100, 4_000));
        }

        private long until(Duration timeToLive) {
            return tracks.now() + Micros.of(timeToLive);
        }

        private void ask() {
            List<GateKey> asked = new ArrayList<>(List.of(dice.pick(gates)));
            GateKey second = dice.pick(gates);
            if (dice.oneIn(3) && !asked.contains(second)) {
                asked.add(second);
            }
            Duration timeToLive = timeToLive();
            long id = -2 - ++permits; // below all numbers of jobs, as those of limiters are
            int cost = dice.below(4);
            long[] ends = {0};
            PermitStore.Reply answer = line.telling(
                    told -> {
                        if (told instanceof Granted granted) {
                            tracks.gates().permitted(granted.parts(), until(timeToLive), tracks.now());
                            granted.parts()
                                    .forEach(part -> tracks.gates()
                                            .checkTime(part, part.start().at(), tracks.commit()));
                            ends[0] = timeline.now() + timeToLive.toNanos();
                            expectCall(granted, id, cost);
                        }
                    },
                    () -> store.ask(asked, cost, id, timeToLive));
            judge.mixed(Judge.PERMIT, answer instanceof Granted ? id : 0);
            if (answer instanceof Granted granted && granted.isLate(timeline.now())) {
                giveUp(granted, id);
            } else if (answer instanceof Granted granted) {
                Used used = new Used(granted.parts(), new StartRef(id, 0));
                call(used, ends[0]);
                goOn(used, timeToLive);
            }
        }

        private void expectCall(Granted granted, long id, long cost) {
            List<GateWatch> its = tracks.gates().of(granted.parts());
            tracks.callers().permitted(new StartRef(id, 0), granted.margin(), timeline.now(), its, cost);
        }

        private void giveUp(Granted granted, long id) {
            tracks.callers().late(new StartRef(id, 0), timeline.now());
            line.telling(told -> tracks.gates().permitsGivenUp(granted.parts(), tracks.now()), () -> {
                store.giveUp(granted.parts(), granted.age(timeline.now()));
                return granted;
            });
        }

        /** Makes its call at once or as late as its limits and its own time allow, if nothing comes before. */
        private void call(Used used, long ends) {
            tracks.callers().entered(used.ref, timeline.now());
            long latest = tracks.callers().coveredUntil(used.ref, ends);
            long at = dice.oneIn(3) ? latest : dice.between(timeline.now(), Math.max(timeline.now(), latest));
            timeline.at(at, null, () -> {
                boolean isMade = !used.isOver && timeline.now() < ends;
                if (isMade) {
                    judge.noted(Judge.CALL, used.ref.id(), 0, timeline.now());
                    tracks.callers().called(used.ref, true, timeline.now(), Limiters.this.store.micros());
                }
                return isMade;
            });
        }

        private void goOn(Used used, Duration timeToLive) {
            long later = dice.spread(1_000_000, 2 * timeToLive.toNanos());
            timeline.after(later, null, () -> attempt(() -> use(used)));
        }

        /** Does something with a permit, whether or not its time is over; what cannot be done is forgotten. */
        private void use(Used used) {
            List<Part> parts = used.parts;
            used.isOver = true;
            switch (dice.below(10)) {
                case 0, 1, 2, 3 -> giveBack(parts, ReleaseKind.OK);
                case 4 -> {
                    renew(parts);
                    goOn(used, timeToLive());
                }
                case 5, 6 -> {
                    long actual = dice.below(8);
                    line.telling(
                            told -> {
                                tracks.gates().permitsSettled(parts, actual, Boolean.TRUE.equals(told), tracks.now());
                                parts.forEach(part -> tracks.callers().settled(used.ref, part.gate(), actual));
                            },
                            () -> store.settle(parts, actual));
                    giveBack(parts.stream().map(part -> part.settled(actual)).toList(), ReleaseKind.OK);
                }
                case 7 -> {
                    store.reject(parts.getFirst(), Duration.ofMillis(dice.below(300)), 0);
                    giveBack(parts, ReleaseKind.REJECTED);
                }
                default -> judge.mixed(Judge.PERMIT, parts.size());
            }
        }

        private void giveBack(List<Part> parts, ReleaseKind how) {
            line.telling(told -> tracks.gates().permitsGivenBack(parts, tracks.now()), () -> {
                store.giveBack(parts, how);
                return how;
            });
        }

        private void renew(List<Part> parts) {
            Duration longer = timeToLive();
            line.telling(
                    told -> tracks.gates()
                            .permitsRenewed(parts, until(longer), Boolean.TRUE.equals(told), tracks.now()),
                    () -> store.renew(parts, longer));
        }
    }
}
