package dev.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.Headgate;
import dev.headgate.job.Cost;
import dev.headgate.job.JobId;
import dev.headgate.job.JobStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whole jobs from a file, a line each. */
class JobFileLoadTest {
    @TempDir
    Path folder;

    private Prompt prompt;
    private Path file;

    @BeforeEach
    void open() {
        prompt = new Prompt(folder);
        file = folder.resolve("jobs.jsonl");
    }

    private Prompt.Answer load(String... arguments) {
        String[] all = new String[arguments.length + 3];
        all[0] = "enqueue";
        all[1] = "--from";
        all[2] = file.toString();
        System.arraycopy(arguments, 0, all, 3, arguments.length);
        return prompt.run(all);
    }

    private JobStatus job(long id) {
        try (Headgate headgate = prompt.open()) {
            return headgate.find(JobId.of(id)).orElseThrow();
        }
    }

    private long count() {
        return prompt.must("status", "--json")
                .json()
                .at("/queues/0/jobs/queued")
                .asLong();
    }

    @Test
    void everyFieldOfALineIsTaken() throws IOException {
        Files.writeString(file, """
                {"type":"echo","payload":{"n":1.10},"queue":"mail","gate":"a","gates":["b","c"],"cost":5,"priority":-7,\
                "front":true,"keepPlace":true,"dedup":"k","dedupFor":"1h","timeout":"20s",\
                "deadline":"2040-01-31T09:00:00Z","attempts":3,\
                "retry":"fixed 5s","delay":"10m"}

                {"type":"noop","at":"2040-01-31T09:00:00Z"}
                """);
        assertThat(load().lines()).containsExactly("2 jobs stored: 1 to 2");
        JobStatus job = job(1);
        assertThat(job.spec().payload()).as("as it was written").isEqualTo("{\"n\":1.10}");
        assertThat(job.queue()).isEqualTo("mail");
        assertThat(job.gates()).containsExactly("a", "b", "c");
        assertThat(job.spec().cost()).isEqualTo(Cost.of(5));
        assertThat(job.spec().order().priority()).isEqualTo(-7);
        assertThat(job.spec().order().isFront()).isTrue();
        assertThat(job.spec().order().keepsPlace()).isTrue();
        assertThat(job.spec().dedup().key()).isEqualTo("k");
        assertThat(job.spec().dedup().lasts()).isEqualTo(Duration.ofHours(1));
        assertThat(job.spec().tries().timeout()).isEqualTo(Duration.ofSeconds(20));
        assertThat(job.spec().tries().attemptsMax()).isEqualTo(3);
        assertThat(job.spec().tries().retry()).startsWith("fixed 5s");
        assertThat(Duration.between(job.times().enqueuedAt(), job.times().readySince()))
                .isEqualTo(Duration.ofMinutes(10));
        assertThat(job(2).times().readySince()).hasToString("2040-01-31T09:00:00Z");
    }

    @Test
    void linesWithTheSamePayloadAreOneJobIfTheyAskForThat() throws IOException {
        Files.writeString(file, """
                {"type":"echo","payload":{"a":1,"b":2},"dedupContent":true}
                {"type":"echo","payload":{"b":2.0,"a":1},"dedupContent":true,"dedupFor":"1h"}
                {"type":"echo","payload":{"a":1,"b":2}}
                """);
        load();
        assertThat(count()).isEqualTo(2);
    }

    @Test
    void whatALineDoesNotSayIsAsTheCommandLineSays() throws IOException {
        Files.writeString(file, "{}\n{\"type\":\"echo\",\"queue\":\"other\",\"payload\":[1]}\n");
        prompt.must("enqueue", "noop", "--from", file.toString(), "--queue", "mail", "--cost", "7");
        assertThat(job(1).type()).isEqualTo("noop");
        assertThat(job(1).queue()).isEqualTo("mail");
        assertThat(job(1).spec().payload()).isEqualTo("{}");
        assertThat(job(2).type()).isEqualTo("echo");
        assertThat(job(2).queue()).isEqualTo("other");
        assertThat(job(2).spec().cost()).isEqualTo(Cost.of(7));
    }

    @Test
    void tenThousandJobsOfTwoTypesAreCountedExactly() throws IOException {
        Files.writeString(file, "{\"type\":\"noop\"}\n{\"type\":\"echo\"}\n".repeat(5_000));
        assertThat(load("--batch", "3000", "--json").json().toString())
                .isEqualTo("{\"jobs\":10000,\"new\":10000,\"existing\":0,\"skipped\":0,\"storedToLine\":10000,"
                        + "\"firstId\":1,\"lastId\":10000,\"dryRun\":false}");
        assertThat(count()).isEqualTo(10_000);
    }

    @Test
    void aDryRunStoresNothing() throws IOException {
        Files.writeString(file, "{\"type\":\"noop\"}\n".repeat(3));
        assertThat(load("--dry-run").lines())
                .containsExactly("3 good jobs in lines 1 to 3; nothing was stored, because this is a dry run");
        assertThat(prompt.store()).doesNotExist();
    }

    @Test
    void aMissingGateIsFoundBeforeTheFirstLineIsStored() throws IOException {
        prompt.must("gate", "set", "provider", "concurrency 3");
        prompt.must("policy", "set", "type", "noop", "requires provider");
        String good = "{\"type\":\"noop\",\"gate\":\"provider\"}\n";
        Files.writeString(file, good.repeat(4) + "{\"type\":\"noop\"}\n" + good);
        for (String option : List.of("--dry-run", "--batch=2")) {
            Prompt.Answer answer = load(option);
            assertThat(answer.exit()).isEqualTo(ExitCode.USAGE);
            assertThat(answer.err())
                    .contains("line 5: job of type 'noop': its policy requires provider", "nothing was stored");
        }
        assertThat(prompt.must("jobs", "--json").json().get("jobs")).isEmpty();
        Files.writeString(file, good.repeat(5));
        assertThat(load("--batch", "2").lines()).containsExactly("5 jobs stored: 1 to 5");
    }

    @Test
    void standardInputIsAFileToo() {
        prompt.typing("{\"type\":\"noop\"}\n{\"type\":\"noop\"}");
        assertThat(prompt.must("enqueue", "--from", "-").lines()).containsExactly("2 jobs stored: 1 to 2");
    }

    @Test
    void aKeyThatLivesIsCounted() throws IOException {
        Files.writeString(file, "{\"type\":\"noop\",\"dedup\":\"a\"}\n{\"type\":\"noop\",\"dedup\":\"b\"}\n");
        load("--skip", "1");
        assertThat(load().lines())
                .containsExactly("1 job stored: 2; 1 not stored again, because a live job carries the same dedup key");
    }

    /** The second batch is refused whole; the first stays, and the answer says from where to go on. */
    @Test
    void aJobThatCouldNeverStartIsFoundBeforeTheFirstLineIsStored() throws IOException {
        prompt.must("gate", "set", "small", "budget 5");
        String good = "{\"type\":\"noop\"}\n";
        String bad = "{\"type\":\"noop\",\"gate\":\"small\",\"cost\":6}\n";
        Files.writeString(file, good.repeat(5) + bad + good);
        Prompt.Answer answer = load("--batch", "4");
        assertThat(answer.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(answer.err())
                .contains("line 6: job of type 'noop': can never pass gate small", "nothing was stored");
        assertThat(prompt.must("jobs", "--json").json().get("jobs")).isEmpty();
        Files.writeString(file, good.repeat(7));
        load("--skip", "4");
        assertThat(count()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'type':'echo','payload':}         | line 2: expected a JSON object, got something else",
                "[1]                                | line 2: expected a JSON object such as",
                "{'payload':{}}                     | line 2: field 'type': expected the job type, got none",
                "{'type':'echo','queu':'a'}         | line 2: unknown field 'queu'; did you mean 'queue'?",
                "{'type':'echo','cost':1.5}         | line 2: field 'cost': expected a whole number, got number",
                "{'type':'echo','cost':'5 many'}    | line 2: cost '5 many': 'many' is not gate=units",
                "{'type':'echo','cost':-1}          | line 2: job of type 'echo': cost: expected 0 to",
                "{'type':'echo','gates':'a'}        | line 2: field 'gates': expected a list of names, got string",
                "{'type':'echo','delay':'soon'}     | line 2: duration: expected a form such as",
                "{'type':'echo','dedupFor':'1h'}    | line 2: field 'dedupFor': expected 'dedup' or 'dedupContent'",
                "{'type':'echo','dedupContent':1}   | line 2: field 'dedupContent': expected true or false",
                "{'type':'echo','dedup':'k','dedupContent':true} | line 2: field 'dedupContent': expected no 'dedup'",
                "{'type':' '}                       | line 2: job type: expected a name",
                "{'type':'echo','type':'echo'}      | line 2: expected a JSON object, got something else",
                "{'type':'http','payload':{'u':1}}  | line 2: payload of 'http': unknown field 'u'",
                "{'type':'http','payload':{'url':'x:'}} | line 2: payload of 'http': url: expected a well-formed one"
            })
    void aBadLineIsNamedAndNothingIsStored(String line, String message) throws IOException {
        Files.writeString(file, "{\"type\":\"noop\"}\n" + line.replace('\'', '"') + "\n{\"type\":\"noop\"}\n");
        Prompt.Answer answer = load();
        assertThat(answer.err())
                .contains("jobs.jsonl, " + message)
                .contains("found 1 line that is none; nothing was stored");
        assertThat(answer.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(prompt.store()).doesNotExist();
    }

    @Test
    void allBadLinesAreCountedAndTheFirstTenShown() throws IOException {
        Files.writeString(file, "nope\n".repeat(12));
        Prompt.Answer answer = load();
        assertThat(answer.err())
                .contains("line 10: ")
                .doesNotContain("line 11: ")
                .contains("found 12 lines that are none (the first 10 are above)");
    }

    @Test
    void aHugeLineIsNamedNotRead() throws IOException {
        Files.writeString(file, "{}\n\"" + "x".repeat(2_000_000) + "\"\n");
        assertThat(load().err())
                .contains("line 2: expected at most 262144 bytes of payload, got a line that is longer");
    }

    @Test
    void otherBytesAndNoLinesAreTold() throws IOException {
        Files.write(file, "{\"type\":\"noop\"}\n\u00ff\n".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(load().err()).contains("expected UTF-8 text, found other bytes");
        Files.writeString(file, "\n\n");
        assertThat(load().err()).contains("found no line");
        Files.writeString(file, "{\"type\":\"noop\"}\n");
        assertThat(load("--skip", "1").err()).contains("expected lines behind the first 1, found none");
        assertThat(prompt.run("enqueue", "--from", folder.resolve("no").toString())
                        .err())
                .contains("--from: expected a file that can be read");
        assertThat(prompt.run("enqueue", "noop", "--dry-run").err()).contains("expected --from FILE beside them");
        assertThat(load("--batch", "10001").err()).contains("--batch: expected 1 to 10000, got 10001");
        assertThat(load("--dedup", "k").err()).contains("put the key of each job on its line");
    }

    @Test
    void aSignalStopsItBetweenBatches() throws IOException {
        Files.writeString(file, "{\"type\":\"noop\"}\n".repeat(10));
        Prompt.Answer answer = prompt.signalled(130).run("enqueue", "--from", file.toString(), "--batch", "4");
        assertThat(answer.exit()).isEqualTo(130);
        assertThat(answer.err()).contains("stopped behind line 0").contains("go on with --skip 0");
    }
}
