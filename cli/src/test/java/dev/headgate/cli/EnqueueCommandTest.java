package dev.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.Headgate;
import dev.headgate.job.Cost;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EnqueueCommandTest {
    @TempDir
    Path folder;

    Prompt prompt;

    @BeforeEach
    void open() {
        prompt = new Prompt(folder);
    }

    private JobStatus job(long id) {
        try (Headgate headgate = prompt.open()) {
            return headgate.find(JobId.of(id)).orElseThrow();
        }
    }

    @Test
    void printsTheNumberOfTheJob() {
        Prompt.Answer answer = prompt.run("enqueue", "echo", "{\"hello\":1}");
        assertThat(answer.exit()).isZero();
        assertThat(answer.out()).isEqualToIgnoringNewLines("1");
        assertThat(answer.err()).contains("created the store");
        assertThat(job(1).spec().payload()).isEqualTo("{\"hello\":1}");
        assertThat(job(1).queue()).isEqualTo("default");
    }

    @Test
    void aJobWaitsForAnotherAndEveryCommandSaysSo() throws IOException {
        prompt.must("enqueue", "noop");
        prompt.must("enqueue", "echo", "--after", "1", "--unmet", "remove", "--after-end", "1");
        assertThat(job(2).state()).isEqualTo(JobState.AWAITING);
        assertThat(prompt.must("explain", "2").out()).contains("waiting for job 1 (queued)");
        assertThat(prompt.must("jobs", "--state", "awaiting").out()).contains("waiting for job 1 (queued)");
        assertThat(prompt.must("job", "2").out()).containsPattern("1 +queued +no +remove +yes");
        assertThat(prompt.must("job", "2", "--json").json().at("/after/0/unmet").asString())
                .isEqualTo("remove");
        assertThat(prompt.must("status").lines()).anyMatch(line -> line.matches("default +1 +0 +1 .*"));
        assertThat(prompt.run("enqueue", "echo", "--after", "99").err()).contains("job 99");
        assertThat(prompt.run("enqueue", "echo", "--unmet", "fail").err()).contains("--after");
        assertThat(prompt.run("enqueue", "echo", "--after", "1", "--unmet", "panic")
                        .err())
                .contains("fail, ignore or remove");
        prompt.must("cancel", "1");
        assertThat(prompt.run("job", "2").err()).contains("no such job");
        Path lines = Files.writeString(
                folder.resolve("tree.jsonl"),
                "{\"type\":\"echo\",\"unmet\":\"ignore\",\"children\":[{\"type\":\"noop\"},{\"type\":\"fail\",\"queue\":\"x\"}]}\n");
        prompt.must("enqueue", "--from", lines.toString(), "--queue", "outer");
        assertThat(job(5).queue()).isEqualTo("outer");
        assertThat(job(5).report().detail()).isEqualTo("waiting for job 3 (queued), job 4 (queued)");
        assertThat(job(4).queue()).isEqualTo("x");
    }

    @Test
    void passesEveryOptionOn() {
        prompt.must("gate", "set", "tenant:*", "concurrency 3");
        prompt.must(
                "enqueue",
                "echo",
                "--queue",
                "mail",
                "--gate",
                "tenant:a",
                "--gate",
                "tenant:'☃*",
                "--cost",
                "5",
                "--priority",
                "-7",
                "--front",
                "--keep-place",
                "--dedup",
                "k",
                "--dedup-for",
                "1h",
                "--timeout",
                "20s",
                "--deadline",
                "2040-01-31T09:00:00Z",
                "--attempts",
                "3",
                "--retry",
                "fixed 5s",
                "--delay",
                "10m");
        JobStatus job = job(1);
        assertThat(job.state()).isEqualTo(JobState.SCHEDULED);
        assertThat(job.queue()).isEqualTo("mail");
        assertThat(job.gates()).containsExactly("tenant:'☃*", "tenant:a");
        assertThat(job.spec().payload()).isEqualTo("{}");
        assertThat(job.spec().cost()).isEqualTo(Cost.of(5));
        assertThat(job.spec().order().priority()).isEqualTo(-7);
        assertThat(job.spec().order().isFront()).isTrue();
        assertThat(job.spec().order().keepsPlace()).isTrue();
        assertThat(job.spec().dedup().key()).isEqualTo("k");
        assertThat(job.spec().dedup().lasts()).isEqualTo(Duration.ofHours(1));
        assertThat(job.spec().tries().timeout()).isEqualTo(Duration.ofSeconds(20));
        assertThat(job.spec().tries().deadline()).isEqualTo(Instant.parse("2040-01-31T09:00:00Z"));
        assertThat(job.spec().tries().attemptsMax()).isEqualTo(3);
        assertThat(job.spec().tries().retry()).startsWith("fixed 5s");
        assertThat(Duration.between(job.times().enqueuedAt(), job.times().readySince()))
                .isEqualTo(Duration.ofMinutes(10));
    }

    @Test
    void schedulesAtAnInstant() {
        prompt.must("enqueue", "echo", "--at", "2040-01-31T09:00:00Z");
        assertThat(job(1).times().readySince()).isEqualTo(Instant.parse("2040-01-31T09:00:00Z"));
    }

    @Test
    void storesManyAndSaysSoInJson() {
        Prompt.Answer answer = prompt.run("enqueue", "noop", "--count", "12000", "--json");
        assertThat(answer.json().get("ids").size()).isEqualTo(12_000);
        assertThat(answer.json().get("new").asInt()).isEqualTo(12_000);
        assertThat(job(12_000).state()).isEqualTo(JobState.QUEUED);
        var queue = prompt.run("status", "--json").json().at("/queues/0");
        assertThat(queue.at("/jobs/queued").asInt()).isEqualTo(10_000);
        assertThat(queue.at("/atLeast/0").asString()).as("counted only so far").isEqualTo("queued");
    }

    @Test
    void aDedupKeyThatLivesAddsNothing() {
        prompt.must("enqueue", "echo", "--dedup", "k");
        Prompt.Answer again = prompt.run("enqueue", "echo", "--dedup", "k");
        assertThat(again.exit()).isZero();
        assertThat(again.out()).isEqualToIgnoringNewLines("1");
        assertThat(again.err()).contains("job 1 lives and carries this dedup key");
        assertThat(prompt.run("enqueue", "echo", "--dedup", "k", "--json")
                        .json()
                        .toString())
                .isEqualTo("{\"ids\":[1],\"new\":0}");
    }

    @Test
    void readsPayloadsFromLines() throws IOException {
        Path file = folder.resolve("payloads.jsonl");
        Files.writeString(file, "{\"n\":1.10}\n\n{\"n\":2}\n\"drei\"\n");
        assertThat(prompt.must("enqueue", "echo", "--file", file.toString()).lines())
                .containsExactly("1", "2", "3");
        assertThat(job(1).spec().payload()).as("as it was written").isEqualTo("{\"n\":1.10}");
        assertThat(job(3).spec().payload()).isEqualTo("\"drei\"");
    }

    @Test
    void readsPayloadsFromStandardInput() {
        prompt.typing("{\"n\":1}\n{\"n\":2}");
        assertThat(prompt.must("enqueue", "echo", "--file", "-").lines()).containsExactly("1", "2");
    }

    @Test
    void aBadLineAtTheEndLeavesNothingBehind() throws IOException {
        Path file = folder.resolve("payloads.jsonl");
        Files.writeString(file, "{}\n".repeat(10_001) + "{\"n\":\n");
        Prompt.Answer answer = prompt.run("enqueue", "echo", "--file", file.toString());
        assertThat(answer.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(answer.err()).contains("line 10002").contains("expected JSON");
        assertThat(prompt.store()).doesNotExist();
    }

    @Test
    void tellsThatAGateHasNoLimits() {
        prompt.must("gate", "set", "openai", "concurrency 3");
        assertThat(prompt.must("enqueue", "echo", "--gate", "opnai").err())
                .contains("gate 'opnai' has no limits yet, so it lets everything pass; did you mean 'openai'?");
        assertThat(prompt.must("enqueue", "echo", "--gate", "openai").err()).isEmpty();
    }

    @Test
    void textIsTakenAsItIs() throws IOException {
        Path file = folder.resolve("team");
        Files.writeString(file, "oops");
        prompt.must("enqueue", "echo", "--dedup", "@" + file, "--queue", "a,b");
        prompt.must("enqueue", "echo", "--queue", "a,b", "--", "-5");
        assertThat(job(1).spec().dedup().key()).isEqualTo("@" + file);
        assertThat(job(2).spec().payload()).isEqualTo("-5");
        assertThat(prompt.must("work", "--once", "--queue", "a,b").lines())
                .contains("stopped: 2 jobs returned, 0 threw");
    }

    @Test
    void aTerminalGetsOneLineForMany() {
        prompt.with("HEADGATE_COLUMNS", "80").with("TERM", "xterm");
        assertThat(prompt.must("enqueue", "noop", "--count", "30").lines()).containsExactly("30 jobs: 1 to 30");
    }

    @Test
    void aTypeThatLooksMistypedIsStoredWithARemark() {
        Prompt.Answer mistyped = prompt.must("enqueue", "ehco", "{}");
        assertThat(mistyped.out()).isEqualToIgnoringNewLines("1");
        assertThat(mistyped.err())
                .contains("type 'ehco': no job of this type is in this store yet; did you mean 'echo'?");
        assertThat(job(1).type()).isEqualTo("ehco");
        assertThat(prompt.must("enqueue", "ehco").err()).as("now it is known").isEmpty();
        assertThat(prompt.must("enqueue", "echo").err()).isEmpty();
        assertThat(prompt.must("enqueue", "send-mail").err())
                .as("near to nothing")
                .isEmpty();
        assertThat(prompt.must("enqueue", "send-mial").err()).contains("did you mean 'send-mail'?");
    }

    @Test
    void aPayloadThatABuiltInTypeWouldIgnoreIsRefused() {
        Prompt.Answer unknown = prompt.run("enqueue", "sleep", "{\"millis\":150}");
        assertThat(unknown.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(unknown.err()).contains("payload of 'sleep': unknown field 'millis'; there is 'ms'");
        assertThat(prompt.run("enqueue", "sleep", "150").err())
                .contains("payload of 'sleep': expected an object such as {\"ms\":500}, got 150");
        assertThat(prompt.run("enqueue", "sleep").err())
                .contains("payload of 'sleep': expected {\"ms\":500}, got no 'ms'");
        assertThat(prompt.run("enqueue", "fail", "{\"mesage\":\"x\"}").err())
                .contains("unknown field 'mesage'; did you mean 'message'?");
    }

    @Test
    void theSamePayloadIsOneLiveJob() {
        assertThat(enqueued("echo", "{\"a\":1,\"b\":[2]}", "--dedup-content")).isEqualTo("{\"ids\":[1],\"new\":1}");
        assertThat(enqueued("echo", "{\"b\":[2], \"a\":1}", "--dedup-content", "--dedup-for", "1h"))
                .isEqualTo("{\"ids\":[1],\"new\":0}");
        assertThat(enqueued("echo", "{\"a\":2}", "--dedup-content")).contains("\"new\":1");
    }

    private String enqueued(String... words) {
        return prompt.must(Stream.of(List.of("enqueue"), List.of(words), List.of("--json"))
                        .flatMap(List::stream)
                        .toArray(String[]::new))
                .json()
                .toString();
    }

    @Test
    void aSleepThatDoesNotSayHowLongIsParked() {
        try (Headgate headgate = prompt.open()) {
            headgate.enqueueJson("sleep", "{\"millis\":150}", options -> {});
        }
        prompt.must("work", "--once");
        assertThat(job(1).state()).isEqualTo(JobState.PARKED);
        assertThat(job(1).report().detail()).contains("expected {\"ms\":500}, got no 'ms'");
    }
}
