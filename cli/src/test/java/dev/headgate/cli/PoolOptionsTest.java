package dev.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.cli.workers.ChildProcess;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a worker may be asked on the command line about its slots, processes and queues. */
class PoolOptionsTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--min-slots 9 --max-slots 3 | the least to be no more than the most, got 9 to 3",
                "--slots 0 | slots: expected 1 to 100000, got 0",
                "--min-slots 0 --max-slots 3 | slots: expected 1 to 100000, got 0",
                "--min-slots 3 | expected --max-slots with it",
                "--slots 3 --max-slots 4 | expected --slots, or --min-slots and --max-slots, got both",
                "--processes 6..2 | the least to be no more than the most, got 6 to 2",
                "--processes 0 | --processes: expected 1 to 1000, got 0",
                "--processes many | expected a number or a range such as 2..6, got 'many'",
                "--processes 2 --once | expected one of --once and --processes",
                "--serve stritc | got 'stritc'; did you mean 'strict'?",
                "--serve weighted --queues a=x,b | expected NAME=WEIGHT with a weight of 1 to 1000, got 'a=x'",
                "--serve weighted --queues a=0,b | a weight of 1 to 1000, got 0 for 'a'",
                "--scale-every 0s --max-slots 3 | a look every 10 milliseconds at most",
            })
    void badChoicesAreRefused(String options, String message) {
        List<String> words = List.of(("work --name x " + options).split(" "));
        Prompt.Answer answer = new Prompt(folder).run(words.toArray(String[]::new));
        assertThat(answer.err()).contains(message);
        assertThat(answer.exit()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void aWorkerMayHaveAFloorACeilingAndAnOrder() {
        Prompt prompt = new Prompt(folder);
        prompt.must("enqueue", "noop", "--queue", "a", "--count", "3");
        prompt.must("enqueue", "noop", "--queue", "b=2", "--count", "3");
        Prompt.Answer weighted = prompt.must(
                "work", "--once", "--queues", "a=3,c", "--serve", "weighted", "--min-slots", "2", "--max-slots", "20");
        assertThat(weighted.err()).contains("serves a, c with 2 to 20 slots");
        assertThat(weighted.lines()).contains("stopped: 3 jobs returned, 0 threw");
        assertThat(prompt.must("work", "--once", "--queues", "a,b=2", "--serve", "strict")
                        .lines())
                .contains("stopped: 3 jobs returned, 0 threw");
    }

    @Test
    void aChildInheritsWhatIsNotItsParentsOwn() {
        assertThat(ChildProcess.inherited(List.of(
                        "--store",
                        "x",
                        "--listen=y",
                        "work",
                        "--listen",
                        "z",
                        "--processes",
                        "2..6",
                        "--name=n",
                        "--slots",
                        "3",
                        "--processes=4")))
                .as("the store goes through the environment, since its URL may hold a password")
                .containsExactly("work", "--slots", "3");
    }
}
