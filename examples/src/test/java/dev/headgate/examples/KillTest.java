package dev.headgate.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.examples.KilledRuns.Outcome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * kill -9 at random points of the workflow examples changes nothing: the same parts, each step entered once and in the same
 * order, the same results and artifacts as in a run that was not disturbed, and no budget exceeded.
 *
 * <p>A few kills by default; {@code ./check chaos} does more, with {@code -Dkills} and {@code -Dseed}.
 */
@Timeout(value = 90, unit = TimeUnit.MINUTES) // as many as are asked for; a single run has its own bound
class KillTest {
    private static final int KILLS = Integer.getInteger("kills", 4);
    private static final long SEED = Long.getLong("seed", 20_261_115L);
    /** A job whose worker dies under it three times is taken for what kills them, and fails. */
    private static final int KILLS_PER_RUN = 2;

    @TempDir
    Path folder;

    @Test
    void aCrawlThatIsKilledEndsAsIfItWereNot() throws Exception {
        kill(SiteCrawler.class, (KILLS + 1) / 2);
    }

    @Test
    void researchThatIsKilledEndsAsIfItWereNot() throws Exception {
        kill(ResearchAgent.class, KILLS / 2);
    }

    private void kill(Class<?> program, int kills) throws Exception {
        KilledRuns runs = new KilledRuns(program, folder);
        Random random = new Random(SEED);
        Outcome calm = runs.run("calm", 0, Duration.ZERO, random);
        assertThat(calm.printed()).anyMatch(line -> line.startsWith("budget of "));
        int done = 0;
        for (int round = 1; done < kills; round++) {
            int wanted = Math.min(KILLS_PER_RUN, kills - done);
            Outcome killed = runs.run("round-" + round, wanted, calm.took(), random);
            done += killed.kills();
            assertThat(killed.story())
                    .as("%s, seed %d, round %d, %d kills", program.getSimpleName(), SEED, round, killed.kills())
                    .isEqualTo(calm.story());
            System.out.println("%s: %d of %d kills, same end".formatted(program.getSimpleName(), done, kills));
        }
    }
}
