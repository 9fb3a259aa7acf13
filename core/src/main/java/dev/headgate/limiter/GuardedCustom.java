package dev.headgate.limiter;

import dev.headgate.limiter.CustomLimit.Answer;
import dev.headgate.limiter.CustomLimit.Taken;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A custom limit that may be broken: what it throws is a denial, and harms neither the limiter nor its caller. */
record GuardedCustom(CustomLimit limit) {
    private static final Logger log = LoggerFactory.getLogger(GuardedCustom.class);
    private static final Duration ASK_AGAIN = Duration.ofSeconds(1);

    Answer tryTake(long cost) {
        return asked(() -> Objects.requireNonNull(limit.tryTake(cost), "tryTake: expected Taken or Denied, got null"));
    }

    @Nullable
    Denied check(long cost) {
        Answer answer = asked(() -> {
            Denied denied = limit.check(cost).orElse(null);
            return denied == null ? OPEN : denied;
        });
        return answer instanceof Denied denied ? denied : null;
    }

    private static final Taken OPEN = Taken.start(() -> {});

    private Answer asked(Supplier<Answer> question) {
        try {
            return question.get();
        } catch (RuntimeException broken) {
            log.warn("custom limit {}: failed, so it lets nothing start for a second", name(), broken);
            return Denied.after(ASK_AGAIN, "custom limit %s failed: %s".formatted(name(), broken));
        }
    }

    private String name() {
        return limit.getClass().getName();
    }

    int available(int max) {
        try {
            return Math.clamp(limit.available(max), 0, max);
        } catch (RuntimeException broken) {
            log.warn("custom limit {}: failed, so it lets nothing start for a second", name(), broken);
            return 0;
        }
    }

    void clear() {
        told("clear", limit::clear);
    }

    void undo(Taken taken) {
        told("undo", taken::undo);
    }

    void end(Taken taken) {
        told("end", taken::end);
    }

    void settle(Taken taken, long actualCost) {
        told("settle", () -> taken.settle(actualCost));
    }

    private void told(String what, Runnable call) {
        try {
            call.run();
        } catch (RuntimeException broken) {
            log.warn("custom limit {}: {} failed; it may count wrong from now on", name(), what, broken);
        }
    }
}
