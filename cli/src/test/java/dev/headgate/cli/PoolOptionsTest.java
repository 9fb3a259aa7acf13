package dev.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.Headgate;
import dev.headgate.cli.workers.ChildProcess;
import dev.headgate.job.JobFilter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
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
                "--limit windw_1/1s | unknown kind of limit 'windw_1/1s'",
                "--limit ; | --limit: expected a limit such as",
                "--limit delay | --limit: limit",
                "--memory 512 | --memory: expected a size such as 512MB or 2GB, got '512'",
                "--memory 0MB | --memory: expected a size such as 512MB or 2GB, got '0MB'",
                "--memory -1GB | --memory: expected a size such as 512MB or 2GB, got '-1GB'",
                "--margin 9999999GB | --margin: expected less than the heap of",
                "--margin much | --margin: expected a size such as 512MB or 2GB, got 'much'",
                "--amount gpu | --amount: expected NAME=N with a whole number, such as gpu=2, got 'gpu'",
                "--amount gpu=0 | --amount: gpu: expected a positive amount, got 0",
                "--amount memory=1 | expected a name that is not taken",
                "--amount gpu=1 --amount gpu=2 | expected a name that is not taken",
                "--ignore-room --memory 1GB | expected one of --ignore-room and --memory, got both",
                "--ignore-room --amount gpu=1 | expected one of --ignore-room and --amount, got both",
                "--scale-every 0s --max-slots 3 | a look every 10 milliseconds at most",
            })
    void badChoicesAreRefused(String options, String message) {
        List<String> words = List.of(("work --name x " + options).split(" "));
        Prompt.Answer answer = new Prompt(folder).run(words.toArray(String[]::new));
        assertThat(answer.err()).contains(message);
        assertThat(answer.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(folder).as("nothing was created").isEmptyDirectory();
    }

    @Test
    void limitsOfAWorkerAreReadAsThoseOfAGateAndNeedNoMargin() {
        Prompt prompt = new Prompt(folder);
        Prompt.Answer margin = prompt.run("work", "--once", "--limit", "concurrency 1; window 9/1s margin 50ms");
        assertThat(margin.err())
                .contains(
                        "--limit: expected no margin, got 'margin 50ms'; a worker counts a start when its handler is");
        Prompt.Answer twice = prompt.run("work", "--once", "--limit", "concurrency 1", "--limit", "concurrency 2");
        assertThat(twice.err()).contains("--limit: ").contains("expected at most one limit of each kind");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aWorkerKeepsItsOwnLimits() {
        Prompt prompt = new Prompt(folder);
        prompt.must("enqueue", "sleep", "{\"ms\":20}", "--count", "4");
        Prompt.Answer answer =
                prompt.must("work", "--once", "--slots", "4", "--limit", "window 9/1s", "--limit", "concurrency 1");
        assertThat(answer.lines()).contains("stopped: 4 jobs returned, 0 threw");
        try (Headgate headgate = prompt.open()) {
            List<Instant> starts = headgate.list(JobFilter.all()).stream()
                    .map(job -> job.times().startedAt())
                    .sorted()
                    .toList();
            for (int each = 1; each < starts.size(); each++) {
                assertThat(Duration.between(starts.get(each - 1), starts.get(each)))
                        .as("the one before ran for 20 ms")
                        .isGreaterThanOrEqualTo(Duration.ofMillis(20));
            }
        }
    }

    @Test
    void resizesOfThePoolArePrinted() {
        Prompt prompt = new Prompt(folder);
        prompt.must("enqueue", "sleep", "{\"ms\":100}", "--count", "20");
        String[] work = {"work", "--once", "--min-slots", "1", "--max-slots", "9", "--scale-every", "20ms"};
        assertThat(prompt.must(work).lines())
                .anyMatch(line -> line.matches(
                        "\\d\\d:\\d\\d:\\d\\d  \\d slots, before 1: 1 at work and [1-9]\\d* more could start"));
        prompt.must("enqueue", "sleep", "{\"ms\":100}", "--count", "20");
        assertThat(prompt.must(work[0], work[1], work[2], work[3], work[4], work[5], work[6], work[7], "--json")
                        .lines())
                .anyMatch(line -> line.matches(
                        "\\{\"event\":\"resized\",\"worker\":\"[^\"]+\",\"from\":1,\"to\":\\d,\"reason\":\".*\"}"));
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
