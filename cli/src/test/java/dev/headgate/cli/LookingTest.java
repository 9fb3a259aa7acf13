package dev.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.Headgate;
import dev.headgate.internal.job.JobStore;
import dev.headgate.internal.lease.TurnRequest;
import dev.headgate.limiter.Permit;
import dev.headgate.spi.WorkerRow;
import dev.headgate.sqlite.SqliteBackend;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** status, queues, gates, jobs, job and explain. */
class LookingTest {
    @TempDir
    Path folder;

    Prompt prompt;

    @BeforeEach
    void fill() {
        prompt = new Prompt(folder);
        prompt.must("gate", "set", "api", "concurrency 2", "rate 20/1s burst 2");
        prompt.must("gate", "set", "tenant:*", "budget 100");
        prompt.must("queue", "set", "mail", "concurrency 20");
        prompt.must(
                "enqueue",
                "echo",
                "{\"n\":1}",
                "--queue",
                "mail",
                "--gate",
                "api",
                "--gate",
                "tenant:a",
                "--count",
                "100");
        prompt.must("enqueue", "noop", "--delay", "1h");
    }

    @Test
    void statusShowsJobsGatesAndWorkers() {
        assertThat(prompt.must("status").lines())
                .anyMatch(line -> line.startsWith("SQLite 3."))
                .anyMatch(line -> line.matches("QUEUE +AWAITING +SCHEDULED +QUEUED +RUNNING .*"))
                .anyMatch(line -> line.matches("default +0 +1 +0 +0 .*"))
                .anyMatch(line -> line.matches("mail +0 +0 +100 +0 .*"))
                .anyMatch(line -> line.matches("gate api +0 of 2 +0 +2 of 2 +0 +- +concurrency 2; rate 20/1s burst 2"))
                .anyMatch(line -> line.matches("queue mail +0 of 20 .*"))
                .anyMatch(line -> line.matches("mail +0 +0 +100 .* \\d.* m?s"))
                .contains("results of jobs: 0, runs of workflows: 0, artifacts: 0")
                .contains("no workers");
    }

    @Test
    void aLongPayloadIsCutForPeopleAndWholeForMachines() {
        String payload = "{\"text\":\"%s\"}".formatted("🦊".repeat(50_000));
        prompt.must("enqueue", "echo", payload, "--queue", "long");
        prompt.must("work", "--queue", "long", "--once");
        Prompt.Answer job = prompt.must("job", "102");
        assertThat(job.lines())
                .allMatch(line -> line.length() < 2_200)
                .filteredOn(line -> line.endsWith("… (100011 characters in all; --json shows them)"))
                .hasSize(2)
                .noneMatch(line -> line.contains("\\ud83e"));
        assertThat(prompt.must("job", "102", "--json").json().at("/result/text").asString())
                .hasSize(100_000);
    }

    @Test
    void statusInJson() {
        JsonNode status = prompt.must("status", "--json").json();
        assertThat(status.at("/queues/1/name").asString()).isEqualTo("mail");
        assertThat(status.at("/queues/1/jobs/queued").asInt()).isEqualTo(100);
        assertThat(status.at("/gates/1/name").asString()).isEqualTo("api");
        assertThat(status.at("/gates/1/limits/1").asString()).isEqualTo("rate 20/1s burst 2");
        assertThat(status.at("/gates/1/buckets/0/tokens").asInt()).isEqualTo(2);
        assertThat(status.get("workers").isEmpty()).isTrue();
        assertThat(status.at("/queues/1/oldestSince").asString()).isNotEmpty();
        assertThat(status.at("/queues/0/oldestSince").isNull())
                .as("nothing of it is due")
                .isTrue();
        assertThat(status.get("results").asInt()).isZero();
        assertThat(status.get("atLeast").isEmpty()).isTrue();
        assertThat(prompt.must("status", "--exact").lines()).anyMatch(line -> line.matches("mail +0 +0 +100 .*"));
    }

    @Test
    void aGateShowsWhereEachLimitStandsAndWhatAShadowWouldHaveBlocked() {
        prompt.must("gate", "set", "llm", "adaptive 1..9", "window 9/1h", "shadow window 1/1h", "journal 7d");
        prompt.must("enqueue", "noop", "--gate", "llm", "--count", "4");
        prompt.must("work", "--once");
        assertThat(prompt.must("gate", "show", "llm").lines())
                .anyMatch(line -> line.matches("adaptive 1..9 +0 of [2-4] in use, between 1 and 9"))
                .anyMatch(line -> line.matches("window 9/1h +4 of 9 in the last 1h"))
                .anyMatch(line -> line.matches("shadow window 1/1h +would have blocked 3 starts"));
        assertThat(prompt.must("gates").out()).contains("shadow window 1/1h (would have blocked 3 starts); journal 7d");
        JsonNode gate = prompt.must("gate", "show", "llm", "--json").json();
        assertThat(gate.at("/shadows/0/limit").asString()).isEqualTo("window 1/1h");
        assertThat(gate.at("/shadows/0/wouldHaveBlocked").asInt()).isEqualTo(3);
        assertThat(gate.at("/readings/1/now").asString()).isEqualTo("4 of 9 in the last 1h");
        assertThat(gate.get("text").asString()).isEqualTo("adaptive 1..9; window 9/1h; shadow window 1/1h; journal 7d");
    }

    @Test
    void aGateShowsItsMarginsBesideWhatWasMeasured() {
        prompt.must("gate", "set", "llm", "concurrency 9", "window 50/1h", "spaced 1000/1s", "window 90/1d margin end");
        assertThat(prompt.must("gate", "show", "llm").lines())
                .anyMatch(line -> line.matches("window 50/1h +auto: 1s +at most 0.1 % of the rate"))
                .anyMatch(line -> line.matches("spaced 1000/1s +auto: none +nothing"))
                .anyMatch(line -> line.matches(
                        "window 90/1d margin end +until the handler ends +more of the rate the longer handlers run"))
                .contains("late starts, given back and not run: 0")
                .noneMatch(line -> line.contains("half within"));
        prompt.must("enqueue", "noop", "--gate", "llm", "--count", "4");
        prompt.must("work", "--once");
        assertThat(prompt.must("gate", "show", "llm").lines())
                .anyMatch(line -> line.matches("grant to handler: half within \\w+, 99 % within \\w+"))
                .anyMatch(line -> line.matches("grant to the end of the handler: half within \\w+, 99 % within \\w+"));
        JsonNode gate = prompt.must("gate", "show", "llm", "--json").json();
        assertThat(gate.at("/margins/0/limit").asString()).isEqualTo("window 50/1h");
        assertThat(gate.at("/margins/0/margin").asString()).isEqualTo("auto");
        assertThat(gate.at("/margins/0/marginMs").asInt()).isEqualTo(1_000);
        assertThat(gate.at("/margins/0/costPercent").asDouble()).isEqualTo(0.03);
        assertThat(gate.at("/margins/1/marginMs").asInt()).isZero();
        assertThat(gate.at("/margins/2/untilEnd").asBoolean()).isTrue();
        assertThat(gate.at("/margins/2/marginMs").isNull()).isTrue();
        assertThat(gate.at("/margins/2/costPercent").isNull()).isTrue();
        assertThat(gate.at("/lag/toHandlerP50Ms").asInt()).isPositive();
        assertThat(gate.at("/lag/toEndP99Ms").asInt()).isPositive();
        assertThat(gate.at("/lateStarts").isIntegralNumber()).isTrue();
        assertThat(gate.at("/rejectedAt").isNull()).isTrue();
        assertThat(prompt.must("gate", "show", "tenant:a").out())
                .as("no limit over time")
                .doesNotContain("MARGIN");
    }

    @Test
    void aJobThatWaitsForHandlersToEndIsToldSo() {
        prompt.must("gate", "set", "llm", "window 1/1h margin end");
        prompt.must("enqueue", "noop", "--gate", "llm", "--queue", "other");
        prompt.must("work", "--once", "--queue", "other");
        prompt.must("enqueue", "noop", "--gate", "llm", "--queue", "other");
        assertThat(prompt.must("explain", "103").out()).contains("1 of 1 running or in the last 1h, opens in ");
        prompt.must("gate", "set", "api", "window 1/1h margin end", "concurrency 9");
        try (Headgate headgate = Headgate.open(prompt.url());
                Permit permit = (Permit) headgate.limiter("api").tryAcquire()) {
            assertThat(permit.renew()).isTrue();
            assertThat(prompt.must("explain", "1").out())
                    .contains("1 of 1 running or in the last 1h, until one ends and counts no more");
        }
    }

    @Test
    void anEmptyStoreSaysSo() {
        Prompt empty = new Prompt(folder.resolve("."));
        empty.must("--store", "jdbc:sqlite:" + folder.resolve("empty.db"), "gate", "set", "x", "concurrency 1");
        empty.must("--store", "jdbc:sqlite:" + folder.resolve("empty.db"), "gate", "remove", "x");
        String[] store = {"--store", "jdbc:sqlite:" + folder.resolve("empty.db")};
        assertThat(empty.must(store[0], store[1], "status").lines()).contains("no jobs", "no gates", "no workers");
        assertThat(empty.must(store[0], store[1], "jobs").lines()).containsExactly("no such jobs");
        assertThat(empty.must(store[0], store[1], "gates").out()).startsWith("no gates");
        assertThat(empty.must(store[0], store[1], "queues").out()).startsWith("no queues");
    }

    @Test
    void queuesAreListedWithTheirLimits() {
        assertThat(prompt.must("queues").lines())
                .anyMatch(line -> line.startsWith("mail "))
                .anyMatch(line -> line.startsWith("queue mail") && line.endsWith("concurrency 20"));
        assertThat(prompt.must("queues", "--json").json().at("/limits/0/name").asString())
                .isEqualTo("mail");
    }

    @Test
    void gatesAreListedWithPatterns() {
        assertThat(prompt.must("gates").lines())
                .anyMatch(line -> line.startsWith("gate api"))
                .anyMatch(line -> line.matches("tenant:\\* +budget 100"));
        JsonNode gates = prompt.must("gates", "--json").json();
        assertThat(gates.at("/patterns/0/pattern").asString()).isEqualTo("tenant:*");
    }

    @Test
    void aGateIsShownByItsNameOrWhatCoversIt() {
        assertThat(prompt.must("gate", "show", "api").out()).contains("2 of 2").contains("rate 20/1s burst 2");
        assertThat(prompt.must("gate", "show", "tenant:new").out()).contains("budget 100 (by tenant:*)");
        assertThat(prompt.must("gate", "show", "tenant:new", "--json")
                        .json()
                        .get("policy")
                        .asString())
                .isEqualTo("tenant:*");
        assertThat(prompt.must("gates", "show", "tenant:*").out()).contains("begins with 'tenant:'");
        assertThat(prompt.must("queue", "show", "default").out())
                .contains("queue default")
                .contains("none");
    }

    @Test
    void jobsComeNewestFirstAndInPages() {
        Prompt.Answer page = prompt.must("jobs", "--queue", "mail", "--limit", "3");
        assertThat(page.lines()).hasSize(4);
        assertThat(page.lines().get(1)).matches(" *100  queued  mail   echo  api, tenant:a  0 of 10  .* ago");
        assertThat(page.err()).contains("--cursor n2q");
        assertThat(prompt.must("jobs", "--cursor", "n2q", "--limit", "1")
                        .lines()
                        .get(1))
                .startsWith("97  queued");
        assertThat(prompt.must("jobs", "--before", "98", "--limit", "1").lines().get(1))
                .startsWith("97  queued");
        assertThat(prompt.must("jobs", "--state", "Scheduled", "--type", "noop")
                        .lines()
                        .get(1))
                .contains("101")
                .contains("in 59 m");
        JsonNode json = prompt.must("jobs", "--limit", "2", "--json").json();
        assertThat(json.at("/jobs/1").has("payload")).as("not unless asked for").isFalse();
        assertThat(prompt.must("jobs", "--limit", "2", "--json", "--payloads")
                        .json()
                        .at("/jobs/1/payload/n")
                        .asInt())
                .isEqualTo(1);
        assertThat(json.get("cursor").asString()).isEqualTo("n2s");
        assertThat(json.get("next").asInt()).isEqualTo(100);
        assertThat(json.get("partial").asBoolean()).isFalse();
    }

    /** A worker that has claimed and is at work. */
    private void claim() {
        try (JobStore store = new JobStore(SqliteBackend.open(prompt.url()))) {
            List<String> queues = List.of("mail");
            store.register(new WorkerRow("w", "w", queues, 9, 0, 0, List.of()), Duration.ofHours(1), List.of());
            assertThat(store.turnaround(new TurnRequest("w", queues, 9, List.of()))
                            .started())
                    .hasSize(2);
        }
    }

    @Test
    void aGateIsAskedWhoHoldsItAndWhoWaits() {
        assertThat(prompt.must("jobs", "--gate", "api", "--waiting").out()).contains("no such jobs");
        claim();
        assertThat(prompt.must("jobs", "--gate", "api", "--holding").lines())
                .hasSize(3)
                .satisfies(lines -> assertThat(lines.get(1)).matches(" *2  running .*"))
                .satisfies(lines -> assertThat(lines.get(2)).matches(" *1  running .*"));
        Prompt.Answer page = prompt.must("jobs", "--gate", "api", "--waiting", "--limit", "2", "--json");
        assertThat(page.json().at("/jobs/0/id").asInt()).isEqualTo(3);
        assertThat(page.json().at("/jobs/1/id").asInt()).isEqualTo(4);
        String next = page.json().get("cursor").asString();
        assertThat(page.json().get("next").isNull()).isTrue();
        assertThat(prompt.must("jobs", "--gate", "api", "--waiting", "--limit", "1", "--cursor", next)
                        .lines()
                        .get(1))
                .matches(" *5  .*");
        assertThat(prompt.must("jobs", "--gate", "tenant:a", "--limit", "1").lines())
                .hasSize(2);
        assertThat(prompt.must("jobs", "--gate", "tenant:b").out()).contains("no such jobs");
        assertThat(prompt.must("jobs", "--queue", "mail", "--limit", "1")
                        .lines()
                        .get(1))
                .matches(" *100  waiting at api  mail .*");
        assertThat(prompt.must("job", "100").lines()).contains("job 100: waiting at api");
        assertThat(prompt.must("job", "100", "--json").json().get("waitingAt").asString())
                .isEqualTo("api");
        assertThat(prompt.must("gate", "show", "api").lines())
                .anyMatch(line -> line.matches("gate api +2 of 2 +2 +\\d of 2 +98 .*"))
                .anyMatch(line -> line.matches(" *HOLDER +TYPE +WORKER +SINCE"))
                .anyMatch(line -> line.matches(" *2 +echo +w +.* ago"))
                .anyMatch(line -> line.matches(" *NEXT IN LINE +TYPE +QUEUE +WAITS SINCE"))
                .anyMatch(line -> line.matches(" *3 +echo +mail +.* ago"))
                .contains("all: headgate jobs --gate api --holding, or --waiting");
        JsonNode gate = prompt.must("gate", "show", "api", "--exact", "--json").json();
        assertThat(gate.get("waiting").asInt()).isEqualTo(98);
        assertThat(gate.at("/holders/0/id").asInt()).isEqualTo(2);
        assertThat(gate.at("/next/4/id").asInt()).isEqualTo(7);
    }

    @Test
    void jobsAreSearched() {
        prompt.must("enqueue", "echo", "{\"customer\":{\"id\":7}}", "--queue", "other");
        assertThat(prompt.must("jobs", "--payload", "customer.id=7").lines()).hasSize(2);
        assertThat(prompt.must("jobs", "--payload", "customer.id=8").out()).contains("no such jobs");
        assertThat(prompt.must("jobs", "--enqueued", "1h..", "--queue", "other").lines())
                .hasSize(2);
        assertThat(prompt.must("jobs", "--enqueued", "..1h").out()).contains("no such jobs");
        assertThat(prompt.must("jobs", "--ended", "1h..now", "--error", "429", "--worker", "w")
                        .out())
                .contains("no such jobs");
    }

    @Test
    void aJobIsShownWithEverything() {
        assertThat(prompt.must("job", "7").lines())
                .contains(
                        "job 7: queued",
                        "  queue        mail",
                        "  gates        api, tenant:a",
                        "  payload      {\"n\":1}");
        JsonNode json = prompt.must("job", "7", "--json").json();
        assertThat(json.get("state").asString()).isEqualTo("queued");
        assertThat(json.get("attempts").isEmpty()).isTrue();
    }

    /** A gate with a concurrency beside its rate used to hide when the rate lets the job start. */
    @Test
    void explainSaysWhenTheJobCanStartAtTheEarliest() {
        JsonNode json = prompt.must("explain", "100", "--json").json();
        assertThat(json.get("ahead").asInt()).isEqualTo(99);
        Duration wait = Duration.between(
                Instant.parse(json.get("at").asString()),
                Instant.parse(json.get("earliest").asString()));
        assertThat(wait).as("98 tokens at 20 a second").isEqualTo(Duration.ofMillis(4_900));
        assertThat(prompt.must("explain", "100").lines())
                .anyMatch(line -> line.startsWith("job 100: waiting: no worker serves queue mail"))
                .anyMatch(line -> line.matches("has waited .*; can start in 4.9 s at the earliest"))
                .anyMatch(line -> line.matches("gate api +0 +- +open +concurrency 2; rate 20/1s burst 2"));
    }

    @Test
    void storedTextCannotDriveTheTerminal() {
        prompt.must("enqueue", "echo", "\"\\u001b[31mred\u009b31m\"", "--gate", "gate\u202e:🦊");
        for (String[] command :
                new String[][] {{"job", "102"}, {"jobs"}, {"status"}, {"job", "102", "--json"}, {"explain", "102"}}) {
            String shown = prompt.must(command).out();
            assertThat(shown.chars().filter(c -> c != '\n').noneMatch(c -> Character.isISOControl(c) || c == '\u202e'))
                    .as(shown)
                    .isTrue();
        }
    }
}
