package dev.headgate.examples;

import static dev.headgate.limit.Limit.concurrency;
import static dev.headgate.limit.Limit.rate;
import static dev.headgate.limit.Limit.window;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import dev.headgate.Enqueued;
import dev.headgate.Headgate;
import dev.headgate.job.JobStatus;
import dev.headgate.job.JobType;
import dev.headgate.limit.Limit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Three tenants share a language model behind an API that allows 5 calls at once, 600 a minute and 90,000 tokens a
 * minute. The gates hold all of it, whatever is enqueued and however many workers run.
 */
public final class RateLimitedApi {
    private RateLimitedApi() {}

    /** A call; {@code tokens} is what it is expected to use up. */
    record Prompt(String tenant, String text, int tokens) {}

    // docs:begin provider-type
    static final JobType<Prompt> COMPLETE = JobType.of("complete-prompt", Prompt.class)
            .queue("llm")
            .gate("provider")
            .gate(prompt -> "tenant:" + prompt.tenant())
            .cost(Prompt::tokens);
    // docs:end

    public static void main(String[] args) throws InterruptedException {
        Model model = new Model();
        try (Headgate headgate = Headgate.open(args.length > 0 ? args[0] : "jdbc:sqlite:api.db")) {
            limit(headgate);
            handle(headgate, model);
            List<Enqueued> jobs = enqueue(headgate, prompts());
            headgate.worker("llm").slots(50).start();
            for (Enqueued job : jobs) {
                JobStatus ended = headgate.await(job.id(), ofSeconds(60)).orElseThrow();
                String answer = headgate.result(job.id(), String.class).orElseThrow();
                System.out.println("%-12s %s".formatted(ended.gates().getLast(), answer));
            }
        }
        System.out.println("at most %d calls at once, %d refused".formatted(model.peak.get(), model.refused.get()));
    }

    private static void limit(Headgate headgate) {
        // docs:begin provider-policies
        Limit calls = window(600).per(ofMinutes(1));
        Limit tokens = window(90_000).per(ofMinutes(1)).byCost();
        Limit half = rate(300).per(ofMinutes(1)).burst(5);
        headgate.policies()
                .gate(
                        "provider",
                        gate -> gate.limit(concurrency(5)).limit(calls).limit(tokens))
                .gate("tenant:*", gate -> gate.limit(concurrency(3)).limit(half))
                .gate("tenant:trial", gate -> gate.limit(concurrency(1)));
        // docs:end
    }

    private static List<Enqueued> enqueue(Headgate headgate, List<Prompt> prompts) {
        // docs:begin provider-enqueue
        return headgate.enqueueAll(COMPLETE, prompts);
        // docs:end
    }

    private static void handle(Headgate headgate, Model model) {
        // docs:begin provider-handler
        headgate.handleWithResult(COMPLETE, (prompt, job) -> {
            Answer answer = model.complete(prompt.text());
            if (answer.status() == 429) {
                throw job.pushedBack("provider", answer.retryAfter());
            }
            job.settle("provider", answer.tokens());
            return answer.text();
        });
        // docs:end
    }

    private static List<Prompt> prompts() {
        List<Prompt> all = new ArrayList<>();
        all.addAll(Collections.nCopies(12, new Prompt("acme", "sum up this ticket", 900)));
        all.addAll(Collections.nCopies(6, new Prompt("globex", "translate this mail", 400)));
        all.addAll(Collections.nCopies(2, new Prompt("trial", "say hello", 20)));
        return all;
    }

    record Answer(int status, String text, int tokens, Duration retryAfter) {}

    /** Stands for the provider: answers after a moment, and refuses the sixth call at once. */
    static final class Model {
        private final AtomicInteger inFlight = new AtomicInteger();
        final AtomicInteger peak = new AtomicInteger();
        final AtomicInteger refused = new AtomicInteger();

        Answer complete(String text) throws InterruptedException {
            int calls = inFlight.incrementAndGet();
            try {
                peak.accumulateAndGet(calls, Math::max);
                if (calls > 5) {
                    refused.incrementAndGet();
                    return new Answer(429, "", 0, ofSeconds(1));
                }
                Thread.sleep(Duration.ofMillis(20));
                return new Answer(200, "answer to '%s'".formatted(text), 15 * text.length(), Duration.ZERO);
            } finally {
                inFlight.decrementAndGet();
            }
        }
    }
}
