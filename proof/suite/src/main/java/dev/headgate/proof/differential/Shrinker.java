package dev.headgate.proof.differential;

import dev.headgate.spi.NewJob;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Shortens a failing script: leaves out ever smaller pieces, then single jobs of a batch, as long as it still fails. */
final class Shrinker {
    private final Predicate<List<Command>> fails;
    private int triesLeft;

    Shrinker(Predicate<List<Command>> fails, int triesMax) {
        this.fails = fails;
        this.triesLeft = triesMax;
    }

    List<Command> shrink(List<Command> failing) {
        List<Command> best = failing;
        for (int piece = Math.max(1, best.size() / 2); piece >= 1; piece /= 2) {
            best = without(best, piece);
        }
        return withSmallerBatches(best);
    }

    private List<Command> without(List<Command> failing, int piece) {
        List<Command> best = failing;
        for (int from = 0; from < best.size(); ) {
            List<Command> shorter = new ArrayList<>(best.subList(0, from));
            shorter.addAll(best.subList(Math.min(best.size(), from + piece), best.size()));
            if (stillFails(shorter)) {
                best = shorter;
            } else {
                from += piece;
            }
        }
        return best;
    }

    private List<Command> withSmallerBatches(List<Command> failing) {
        List<Command> best = new ArrayList<>(failing);
        for (int at = 0; at < best.size(); at++) {
            for (int job = 0;
                    best.get(at) instanceof Command.Enqueue(var jobs) && jobs.size() > 1 && job < jobs.size(); ) {
                List<NewJob> fewer = new ArrayList<>(jobs);
                fewer.remove(job);
                List<Command> shorter = new ArrayList<>(best);
                shorter.set(at, new Command.Enqueue(List.copyOf(fewer)));
                if (stillFails(shorter)) {
                    best = shorter;
                } else {
                    job++;
                }
            }
        }
        return best;
    }

    private boolean stillFails(List<Command> shorter) {
        triesLeft--;
        return triesLeft >= 0 && fails.test(shorter);
    }
}
