package dev.headgate.proof.simulation;

import dev.headgate.internal.resource.ProcessResources;
import dev.headgate.internal.worker.Loop;
import dev.headgate.internal.worker.LoopRunner;
import dev.headgate.internal.worker.WorkerSettings.Threads;
import java.time.Duration;
import java.util.function.LongSupplier;

/** Rounds and handlers of one life of a process as events of the timeline. */
final class HostStage implements LoopRunner {
    /** The most that a thread takes from being woken to its round, and from one round to the next. */
    private static final long SWITCH_NANOS_MAX = 60_000;

    private final Timeline timeline;
    private final Host host;
    private final int life;
    private final Dice dice;
    private final Theatre theatre;
    private final Judge judge;
    private final ProcessResources process = new ProcessResources();

    HostStage(Timeline timeline, Host host, Dice dice, Theatre theatre, Judge judge) {
        this.timeline = timeline;
        this.host = host;
        this.life = host.life();
        this.dice = dice;
        this.theatre = theatre;
        this.judge = judge;
    }

    @Override
    public Loop loop(String role, String worker, LongSupplier round) {
        return new HeapLoop(role, round);
    }

    @Override
    public HandlerRunner handlerRunner(Threads threads) {
        return new HandlerRunner() {
            @Override
            public void start(HandlerRun shift) {
                theatre.open(host, shift, dice);
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public ProcessResources process() {
        return process;
    }

    /** Nothing else moves in the middle of a round, so there is nothing to wait for. A handler does wait. */
    @Override
    public void rest(long nanos) {
        theatre.rest(nanos);
    }

    private final class HeapLoop implements Loop {
        private final String role;
        private final LongSupplier round;
        private long nextAt = Long.MAX_VALUE;
        private int version;
        private boolean isStarted;
        private boolean isRunning;
        private boolean isWoken;
        private boolean isOver;

        private HeapLoop(String role, LongSupplier round) {
            this.role = role;
            this.round = round;
        }

        @Override
        public void start() {
            isStarted = true;
            plan(1);
        }

        @Override
        public void wake() {
            if (!isStarted || isRunning) {
                isWoken = true;
            } else if (nextAt - timeline.now() > SWITCH_NANOS_MAX) {
                plan(1);
            }
        }

        private void plan(long pause) {
            if (host.life() != life) {
                return; // what a dead process still says
            }
            long now = timeline.now();
            long earliest = 1_000L + dice.below((int) SWITCH_NANOS_MAX);
            nextAt = pause > Long.MAX_VALUE - now ? Long.MAX_VALUE : now + Math.max(pause, earliest);
            int planned = ++version;
            timeline.at(nextAt, host, () -> planned == version && turn());
        }

        private boolean turn() {
            if (isOver || isRunning) {
                return false;
            }
            isRunning = true;
            isWoken = false;
            long pause;
            try {
                pause = round.getAsLong();
            } catch (RuntimeException | AssertionError | StackOverflowError bug) {
                judge.broken(
                        "I0",
                        "%s of %s: a fault in Headgate: %s at %s"
                                .formatted(
                                        role,
                                        host,
                                        bug,
                                        bug.getStackTrace().length > 0 ? bug.getStackTrace()[0] : "?"));
                return true;
            } finally {
                isRunning = false;
            }
            if (!isOver && host.life() == life) {
                plan(isWoken ? 1 : pause);
            }
            return true;
        }

        @Override
        public void finish() {
            isOver = true;
        }

        @Override
        public boolean join(Duration atMost) {
            return !isRunning;
        }
    }
}
