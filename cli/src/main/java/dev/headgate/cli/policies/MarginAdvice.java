package dev.headgate.cli.policies;

import dev.headgate.internal.admission.StartMargin;
import dev.headgate.internal.time.Micros;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Spans;
import dev.headgate.server.api.MarginNotes;
import dev.headgate.status.Overview.Lag;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a rejection at a full limit says about its margin. Never advises a shorter margin than the present one. */
public final class MarginAdvice {
    private MarginAdvice() {}

    /** Continues "rejected at a full limit 3 m ago". */
    public static String of(GatePolicy policy, Lag lag) {
        Duration longest = lag.rejectedLag();
        String took = longest == null ? "-" : Spans.text(Micros.duration(Micros.of(longest)));
        Duration advised = lag.advisedMargin();
        return advised == null ? innocent(lag.rejectedMargin(), took) : longer(policy, lag.rejectedMargin(), advised);
    }

    private static String innocent(@Nullable Duration margin, String took) {
        String covers = margin == null
                ? "every start counts until its handler has ended"
                : "every start ended within %s, and its margin was %s".formatted(took, Spans.text(margin));
        return ", not because of lag: %s. Does something else use the account, or does the other side count in another way?"
                .formatted(covers);
    }

    private static String longer(GatePolicy policy, @Nullable Duration margin, Duration advised) {
        String had = margin == null || margin.isZero() ? "no margin" : "a margin of " + Spans.text(margin);
        String seen =
                ": a start took up to %s until its handler had ended, with %s".formatted(Spans.text(advised), had);
        if (!MarginNotes.isPossible(policy, advised)) {
            return seen + "; margin end would have avoided it";
        }
        List<String> without = MarginNotes.without(policy);
        boolean isForThose = margin != null && margin.isZero() && StartMargin.of(policy) > 0 && !without.isEmpty();
        Duration now = Micros.duration(StartMargin.of(policy));
        String since =
                !isForThose && now.compareTo(advised) >= 0 ? ", and it is %s now".formatted(Spans.text(now)) : "";
        return "%s; margin %s%s would have avoided it%s"
                .formatted(seen, Spans.text(advised), isForThose ? " of " + String.join(" and ", without) : "", since);
    }
}
