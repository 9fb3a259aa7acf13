package dev.headgate.benchmarks;

import dev.headgate.Headgate;
import dev.headgate.job.JobType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What it costs an enqueue that its type says gate, cost and priority as functions of the payload, against the same three named by hand.
 * Stretches of both take turns on one store, so that whatever slows the machine down slows both; the one that goes first changes with
 * each pair.
 */
final class FunctionDefaults {
    private static final int TENANTS = 100;
    private static final int PAIRS_TO_WARM_UP = 3;

    /** Its text is about as long as a small prompt. */
    record Question(String tenant, long tokens, int urgency, String text) {}

    private static final JobType<Question> BARE = JobType.of("ask", Question.class);
    private static final JobType<Question> FULL = BARE.gate(question -> "tenant:" + question.tenant())
            .cost(Question::tokens)
            .priority(Question::urgency);

    private interface Stretch {
        void enqueue(Headgate headgate, List<Question> questions);
    }

    private FunctionDefaults() {}

    public static void main(String[] args) {
        int jobs = Integer.getInteger("jobs", 10_000);
        int singles = Integer.getInteger("singles", 500);
        int pairs = Integer.getInteger("pairs", 30);
        try (Stores stores = new Stores(List.of(args))) {
            for (String kind : stores.kinds()) {
                String url = stores.freshUrl(kind);
                measure(
                        url,
                        kind + ", " + jobs + " a call",
                        jobs,
                        pairs,
                        (headgate, questions) -> headgate.enqueueAll(
                                BARE,
                                questions,
                                (question, job) -> job.gate("tenant:" + question.tenant())
                                        .cost(question.tokens())
                                        .priority(question.urgency())),
                        (headgate, questions) -> headgate.enqueueAll(FULL, questions));
                stores.discard(url);
                String fresh = stores.freshUrl(kind);
                measure(
                        fresh,
                        kind + ", one a call",
                        singles,
                        pairs,
                        (headgate, questions) -> questions.forEach(question -> headgate.enqueue(
                                BARE,
                                question,
                                job -> job.gate("tenant:" + question.tenant())
                                        .cost(question.tokens())
                                        .priority(question.urgency()))),
                        (headgate, questions) -> questions.forEach(question -> headgate.enqueue(FULL, question)));
                stores.discard(fresh);
            }
        }
    }

    private static void measure(String url, String what, int jobs, int pairs, Stretch byHand, Stretch byType) {
        List<Question> questions = IntStream.range(0, jobs)
                .mapToObj(i -> new Question("t" + i % TENANTS, i % 1000, i % 3, "what is the answer to question " + i))
                .toList();
        List<Double> hand = new ArrayList<>();
        List<Double> type = new ArrayList<>();
        List<Double> ratios = new ArrayList<>();
        try (Headgate headgate = Headgate.open(url)) {
            headgate.policies().gate("tenant:*", gate -> gate.maxInFlight(1000));
            for (int pair = -PAIRS_TO_WARM_UP; pair < pairs; pair++) {
                boolean isHandFirst = pair % 2 == 0;
                double first = micros(headgate, questions, isHandFirst ? byHand : byType);
                double second = micros(headgate, questions, isHandFirst ? byType : byHand);
                if (pair >= 0) {
                    hand.add(isHandFirst ? first : second);
                    type.add(isHandFirst ? second : first);
                    ratios.add(type.getLast() / hand.getLast());
                }
            }
        }
        double[] sorted = sorted(ratios);
        System.out.printf(
                "%s: %.2f us a job by hand, %.2f us by functions of its type (medians); %+.1f %% (median of %d pairs of %d jobs; half of them %+.1f to %+.1f %%)%n",
                what,
                LimitAccuracy.median(sorted(hand)),
                LimitAccuracy.median(sorted(type)),
                percent(LimitAccuracy.median(sorted)),
                pairs,
                jobs,
                percent(sorted[sorted.length / 4]),
                percent(sorted[sorted.length * 3 / 4]));
    }

    private static double micros(Headgate headgate, List<Question> questions, Stretch stretch) {
        long begin = System.nanoTime();
        stretch.enqueue(headgate, questions);
        return (System.nanoTime() - begin) / 1e3 / questions.size();
    }

    private static double[] sorted(List<Double> figures) {
        double[] sorted = figures.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        return sorted;
    }

    private static double percent(double ratio) {
        return 100 * (ratio - 1);
    }
}
