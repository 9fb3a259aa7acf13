package dev.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class WorkCommandTest {
    @TempDir
    Path folder;

    Prompt prompt;

    @BeforeEach
    void open() {
        prompt = new Prompt(folder);
    }

    @Test
    void aPatternServesAllQueuesThatBeginSo() {
        assertThat(prompt.must("work", "--once", "--queues", "site:*").err())
                .contains("queues 'site:*': no queue of this store begins so yet; the worker serves those that come");
        prompt.must("enqueue", "echo", "1", "--queue", "site:a");
        prompt.must("enqueue", "echo", "2", "--queue", "site:b", "--gate", "g");
        prompt.must("enqueue", "echo", "3", "--queue", "mail");
        assertThat(prompt.must("backlog", "site:*", "--json")
                        .json()
                        .get("admissible")
                        .asInt())
                .isEqualTo(2);
        assertThat(prompt.must("work", "--once", "--queues", "site:*").err())
                .doesNotContain("begins so yet")
                .contains("serves site:*");
        assertThat(prompt.must("status", "--json").json().get("queues").toString())
                .doesNotContain("site:*");
        assertThat(prompt.must("jobs", "--state", "queued").out())
                .contains("mail")
                .doesNotContain("site:");
    }

    @Test
    void aStarInTheNameOfAQueueIsRefusedWhereOneQueueIsMeant() {
        assertThat(prompt.run("enqueue", "echo", "1", "--queue", "site:*").err())
                .contains("expected a name without '*', got 'site:*'");
        assertThat(prompt.run("work", "--queues", "a*b").err())
                .contains("expected a name, or a pattern that ends in its only '*', got 'a*b'; write 'a*'");
    }

    @Test
    void onceRunsWhatIsDueAndTellsAboutEachJob() {
        prompt.must("enqueue", "echo", "{\"hello\":[1,2.5]}");
        prompt.must("enqueue", "noop", "7");
        prompt.must("enqueue", "sleep", "{\"ms\":5}");
        prompt.must("enqueue", "noop", "--delay", "1h");
        Prompt.Answer answer = prompt.must("work", "--once", "--name", "tester");
        assertThat(answer.lines())
                .anyMatch(line -> line.matches("\\d\\d:\\d\\d:\\d\\d  job 1  echo  done in .*"))
                .contains("stopped: 3 jobs returned, 0 threw");
        assertThat(answer.err()).contains("serves default with 10 slots").contains("1 job is due later");
        assertThat(prompt.must("job", "1", "--json").json().get("result").toString())
                .isEqualTo("{\"hello\":[1,2.5]}");
        assertThat(prompt.must("status", "--json").json().get("workers").isEmpty())
                .as("it said goodbye")
                .isTrue();
    }

    /** A worker is idle while it waits for the next token, but the job is due and its turn comes. */
    @Test
    void onceWaitsForTheTokensOfAGate() {
        prompt.must("gate", "set", "api", "rate 20/1s");
        prompt.must("enqueue", "noop", "--gate", "api", "--count", "6");
        assertThat(prompt.must("work", "--once").lines()).contains("stopped: 6 jobs returned, 0 threw");
    }

    @Test
    void aOneShotStartsWhatHasNotRunYet() {
        prompt.must("enqueue", "noop");
        assertThat(prompt.must("work", "--once", "--for", "4s").lines()).contains("stopped: 1 job returned, 0 threw");
    }

    /** Runs that were cut short show that a type takes at least so long. */
    @Test
    void aOneShotLearnsWhatItCannotFinish() {
        prompt.must("enqueue", "sleep", "{\"ms\":600000}", "--count", "3");
        for (int run = 0; run < 2; run++) {
            assertThat(prompt.must("work", "--once", "--for", "3s").err())
                    .contains("its time is over: 3 running jobs interrupted and handed back");
        }
        assertThat(prompt.must("job", "1", "--json").json().get("state").asString())
                .isEqualTo("queued");
        Prompt.Answer tooShort = prompt.must("work", "--once", "--for", "2s");
        assertThat(tooShort.err())
                .contains("3 jobs are left that do not fit here, or not in the time")
                .doesNotContain("interrupted");
    }

    @Test
    void manyJobsAreCountedInsteadOfListed() {
        prompt.must("enqueue", "noop", "--count", "500");
        Prompt.Answer answer = prompt.must("work", "--once", "--slots", "50");
        assertThat(answer.lines())
                .contains("stopped: 500 jobs returned, 0 threw")
                .hasSizeLessThan(200);
        assertThat(answer.out()).contains(" jobs more");
    }

    @Test
    void aFailureIsToldKeptAndTriedAgain() {
        prompt.must("enqueue", "fail", "{\"message\":\"no luck\",\"times\":1}", "--retry", "fixed 1ms");
        prompt.must("enqueue", "fail", "--attempts", "1");
        prompt.must("work", "--once");
        prompt.must("work", "--once");
        JsonNode first = prompt.must("job", "1", "--json").json();
        assertThat(first.get("state").asString()).isEqualTo("succeeded");
        assertThat(first.at("/attempts/0/error").asString()).contains("no luck");
        JsonNode second = prompt.must("job", "2", "--json").json();
        assertThat(second.get("state").asString()).isEqualTo("failed");
        assertThat(second.get("detail").asString()).contains("asked to fail");
        assertThat(prompt.must("job", "1").lines()).anyMatch(line -> line.matches(" *1 .*no luck"));
    }

    @Test
    void eventsInJson() {
        prompt.must("enqueue", "noop");
        prompt.must("enqueue", "fail", "--attempts", "1");
        Prompt.Answer answer = prompt.must("work", "--once", "--json");
        assertThat(answer.lines())
                .anyMatch(line -> line.startsWith("{\"event\":\"returned\",\"id\":1,\"type\":\"noop\",\"attempt\":1,"))
                .anyMatch(line -> line.contains("\"threw\"") && line.contains("asked to fail"))
                .contains("{\"event\":\"stopped\",\"returned\":1,\"threw\":1}");
    }

    @Test
    void aQueueThatLooksMistypedIsMentioned() {
        prompt.must("enqueue", "noop", "--queue", "mail");
        assertThat(prompt.must("work", "--once", "--queues", "mial").err())
                .contains("queue 'mial' is new to this store; did you mean 'mail'?");
    }
}
