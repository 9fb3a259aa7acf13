package dev.headgate.examples;

import static dev.headgate.limit.Limit.concurrency;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import dev.headgate.Headgate;
import dev.headgate.run.RunId;
import dev.headgate.run.RunStatus;
import dev.headgate.workflow.Step;
import dev.headgate.workflow.StepOptions;
import dev.headgate.workflow.Workflow;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A research agent: plans, asks many questions at once, hands hard ones to specialists, and sums up. Every call goes through
 * the gates {@code provider} and {@code tenant:…}, and what a run may spend is fixed before it begins. Kill it and start it
 * again: it goes on where it was.
 */
public final class ResearchAgent {
    /** Short, so that a run goes on soon after a kill; the default of 30 seconds suits most programs better. */
    private static final Duration LEASE = ofSeconds(2);

    private static final List<String> TENANTS = List.of("acme", "globex");

    private final HttpClient http = HttpClient.newHttpClient();
    private final URI provider;

    ResearchAgent(URI provider) {
        this.provider = provider;
    }

    record Question(String tenant, String text) {}

    record Finding(String text) {}

    record Research(String tenant, String topic, List<Question> questions, List<Finding> findings, String report) {
        Research planned(List<Question> all) {
            return new Research(tenant, topic, all, findings, report);
        }

        Research learnt(List<Finding> more) {
            List<Finding> all = new ArrayList<>(findings);
            all.addAll(more);
            return new Research(tenant, topic, questions, all, report);
        }

        Research reported(String text) {
            return new Research(tenant, topic, questions, findings, text);
        }

        /** What a quick answer is not enough for. */
        List<Question> hardOnes() {
            return questions.stream()
                    .filter(each -> each.text().startsWith("what could"))
                    .toList();
        }
    }

    // docs:begin research
    Workflow<Question, Finding> specialist() {
        return Workflow.named("specialist", 1, Question.class)
                .then(
                        "read",
                        (question, step) -> new Question(question.tenant(), ask(step, question.text())),
                        this::paid)
                .then("judge", Finding.class, (question, step) -> new Finding(ask(step, question.text())), this::paid)
                .build();
    }

    Workflow<Research, Research> research() {
        return Workflow.named("research", 1, Research.class)
                .then("plan", this::plan, (research, s) -> gates(s, research.tenant(), 5))
                .forEach("ask", Research::questions, Question.class, Finding.class, this::find, this::paid)
                .reduce(Research::learnt)
                .childForEach("specialists", specialist(), Research::hardOnes)
                .reduce(Research::learnt)
                .then("synthesize", this::synthesize, (research, s) -> gates(s, research.tenant(), 20))
                .build();
    }

    private void paid(Question question, StepOptions step) {
        gates(step, question.tenant(), 10);
    }

    private static void gates(StepOptions step, String tenant, long tokens) {
        step.gate("provider").gate("tenant:" + tenant).cost(tokens);
    }
    // docs:end

    private Research plan(Research research, Step step) throws IOException, InterruptedException {
        return research.planned(ask(step, "plan " + research.topic())
                .lines()
                .map(text -> new Question(research.tenant(), text))
                .toList());
    }

    private Finding find(Question question, Step step) throws IOException, InterruptedException {
        return new Finding(ask(step, question.text()));
    }

    private Research synthesize(Research research, Step step) throws IOException, InterruptedException {
        List<String> lines = research.findings().stream().map(Finding::text).toList();
        String report = "# %s\n\n%s\n".formatted(ask(step, "sum up " + research.topic()), String.join("\n", lines));
        step.artifact("report.md", report);
        return research.reported(report);
    }

    // docs:begin push-back
    private String ask(Step step, String prompt) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(provider)
                .POST(HttpRequest.BodyPublishers.ofString(prompt))
                .build();
        HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() == 429) {
            long seconds = answer.headers().firstValueAsLong("Retry-After").orElse(1);
            throw step.job().pushedBack("provider", ofSeconds(seconds));
        }
        return answer.body();
    }
    // docs:end

    public static void main(String[] args) throws IOException, InterruptedException {
        try (FakeProvider provider = new FakeProvider();
                Headgate headgate = Headgate.open(args.length > 0 ? args[0] : "jdbc:sqlite:research.db")) {
            headgate.policies()
                    .gate("provider", gate -> gate.limit(concurrency(FakeProvider.AT_ONCE_MAX)))
                    .gate("tenant:*", gate -> gate.limit(concurrency(2)));
            Workflow<Research, Research> research = new ResearchAgent(provider.address()).research();
            headgate.workflows().register(research);
            List<RunId> runs = new ArrayList<>();
            for (String tenant : TENANTS) {
                Research begin = new Research(tenant, "a headgate", List.of(), List.of(), "");
                runs.add(headgate.workflows()
                        .start(
                                research,
                                begin,
                                run -> run.key(tenant)
                                        .budget(budget -> budget.maxCostUnits(1_000)
                                                .maxAttempts(100)
                                                .maxTransitions(100)
                                                .maxFanOutItems(20)
                                                .maxChildRuns(5)
                                                .maxWallTime(ofMinutes(30))))
                        .id());
            }
            System.out.println("runs " + runs);
            headgate.worker("default").name("agent").slots(8).lease(LEASE).start();
            for (int i = 0; i < TENANTS.size(); i++) {
                RunStatus ended =
                        headgate.workflows().await(runs.get(i), ofMinutes(2)).orElseThrow();
                Research result = headgate.workflows().result(ended.id(), research);
                System.out.println("%s: %d findings, report of %d characters"
                        .formatted(
                                TENANTS.get(i),
                                result.findings().size(),
                                result.report().length()));
                BudgetSummary.print("research for " + TENANTS.get(i), ended);
            }
            System.out.println(provider.summary());
        }
    }
}
