package dev.headgate.proof.differential;

import dev.headgate.spi.Backend;
import dev.headgate.spi.StoreClock;
import dev.headgate.testkit.VirtualTime;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Drives two stores with the same made-up commands and compares everything they say; each must also keep the promises
 * and get every job to its end when the commands stop. A failure prints its seed and the shortest script found that still
 * fails.
 *
 * <pre>{@code
 * new Differential(MemoryBackend::new, clock -> MyStore.fresh(clock)).commands(80).run(1, 200);
 * }</pre>
 */
public final class Differential {
    private static final int HEALING_ROUNDS_MAX = 2_000;

    private final Opener left;
    private final Opener right;
    private int commands = 80;
    private int shrinksMax = 400;

    /** Opens a fresh and empty store. */
    @FunctionalInterface
    public interface Opener {
        Backend open(StoreClock clock);
    }

    public Differential(Opener left, Opener right) {
        this.left = left;
        this.right = right;
    }

    /** How many commands a script has. Default: 80. */
    public Differential commands(int most) {
        this.commands = most;
        return this;
    }

    /** How many runs may be spent to shorten a failing script. Default: 400. */
    public Differential shrinks(int most) {
        this.shrinksMax = most;
        return this;
    }

    /** Runs so many seeds from the first on; throws at the first that fails. */
    public void run(long firstSeed, int seeds) {
        for (long seed = firstSeed; seed < firstSeed + seeds; seed++) {
            List<Command> script = Script.of(seed, commands);
            String failure = failureOf(script);
            if (failure != null) {
                report(seed, script);
            }
        }
    }

    private void report(long seed, List<Command> script) {
        List<Command> shortest = new Shrinker(shorter -> failureOf(shorter) != null, shrinksMax).shrink(script);
        StringBuilder text = new StringBuilder(
                "seed %d fails; a shortest script of %d commands:\n".formatted(seed, shortest.size()));
        shortest.forEach(command -> text.append("  ").append(command.text()).append('\n'));
        throw new AssertionError(text.append(failureOf(shortest)).toString());
    }

    /** What went wrong, or absent. */
    private @Nullable String failureOf(List<Command> script) {
        VirtualTime time = new VirtualTime();
        try (World one = new World(left.open(time), time, true);
                World other = new World(right.open(time), time, false)) {
            for (int step = 0; step < script.size(); step++) {
                Command command = script.get(step);
                moveTime(time, command);
                String difference = difference(one, other, one.apply(command), other.apply(command));
                if (difference != null) {
                    return "after command %d, %s:\n%s".formatted(step + 1, command.text(), difference);
                }
            }
            return heal(one, other, time);
        } catch (AssertionError | RuntimeException broken) {
            StringWriter trace = new StringWriter();
            broken.printStackTrace(new PrintWriter(trace));
            return trace.toString();
        }
    }

    /** Lets every worker go and one take over that neither crashes nor cancels: then every job must come to its end. */
    private static @Nullable String heal(World one, World other, VirtualTime time) {
        // The clock may have stepped back a good deal; no lease reaches beyond this.
        Instant begin = time.now().isBefore(VirtualTime.START) ? VirtualTime.START : time.now();
        time.set(begin.plus(Duration.ofHours(1)));
        one.beginHealing();
        other.beginHealing();
        for (int round = 0; round < HEALING_ROUNDS_MAX; round++) {
            World.Round first = one.heal();
            World.Round second = other.heal();
            if (!first.said().equals(second.said())) {
                return "while healing:\n  one   says %s\n  other says %s".formatted(first.said(), second.said());
            }
            if (first.isOver()) {
                String difference = difference(one, other, "", "");
                return difference == null ? one.stuck() : difference;
            }
            one.stayAlive(first.pause());
            other.stayAlive(first.pause());
            time.advance(first.pause());
        }
        return "still not at an end after %d rounds of healing".formatted(HEALING_ROUNDS_MAX);
    }

    private static void moveTime(VirtualTime time, Command command) {
        if (command instanceof Command.Advance(var by)) {
            time.advance(by);
        } else if (command instanceof Command.StepBack(var by)) {
            time.stepBack(by);
        }
    }

    private static @Nullable String difference(World one, World other, String said, String saidToo) {
        if (!said.equals(saidToo)) {
            return "  one   says %s\n  other says %s".formatted(said, saidToo);
        }
        List<String> ones = Snapshot.of(one);
        List<String> others = Snapshot.of(other);
        for (int i = 0; i < Math.max(ones.size(), others.size()); i++) {
            String shown = i < ones.size() ? ones.get(i) : "(nothing)";
            String shownToo = i < others.size() ? others.get(i) : "(nothing)";
            if (!shown.equals(shownToo)) {
                return "  one   shows %s\n  other shows %s".formatted(shown, shownToo);
            }
        }
        String drift = ones.getLast();
        return drift.equals("drift []") ? null : "  both have drifted: " + drift;
    }
}
