package dev.headgate.testkit.junit;

import dev.headgate.limiter.CustomLimit;
import dev.headgate.limiter.CustomLimit.Taken;
import dev.headgate.limiter.Denied;
import dev.headgate.limiter.Limiter;
import dev.headgate.limiter.LocalLimiter;
import dev.headgate.limiter.Permit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/**
 * What a limiter expects of a {@link CustomLimit}. Implement it in a test class of yours and run that:
 *
 * <pre>{@code
 * class SeatsTest implements CustomLimitContract {
 *     @Override
 *     public CustomLimit open() {
 *         return new Seats();
 *     }
 * }
 * }</pre>
 *
 * <p>A limit that says when time opens it ({@link Denied#after}) needs {@link #pass} too: without it no test sees whether those times are true, and that
 * test is skipped and says so.
 */
public interface CustomLimitContract {
    /** The most starts that a limit under test may allow at once. */
    int ROOM_MAX = 1_000;

    /** A limit of which nothing is taken: it allows 1 to {@link #ROOM_MAX} starts of cost 1 now. Each call begins anew. */
    CustomLimit open();

    /**
     * Moves the clock of the limit that was opened last; for limits that open by time.
     *
     * @return false if it has no clock that a test can move; then what needs one is skipped
     */
    default boolean pass(Duration time) {
        return false;
    }

    @Test
    default void aNewLimitAllowsAStartAndIsFullInTheEnd() {
        int room = Asked.room(open());
        Asked.expect(room > 0, "a new limit: expected room for at least one start of cost 1, got none");
    }

    @Test
    default void aDenialChangesNothing() {
        CustomLimit limit = open();
        List<Taken> taken = Asked.fill(limit);
        for (int i = 0; i < 10; i++) {
            Asked.expect(limit.tryTake(1) instanceof Denied, "a full limit: expected each tryTake to be denied");
        }
        taken.getLast().undo();
        int room = Asked.room(limit);
        Asked.expect(room == 1, "10 denials and then 1 undo: expected room for 1 start, got %d".formatted(room));
    }

    @Test
    default void anUndoneStartLeavesNoTrace() {
        int fresh = Asked.room(open());
        CustomLimit limit = open();
        for (int i = 0; i < 2 * fresh; i++) {
            Asked.taken(limit, "after %d starts that were undone".formatted(i)).undo();
        }
        List<Taken> taken = Asked.fill(limit);
        for (Taken one : taken.reversed()) {
            one.undo();
        }
        int room = Asked.room(limit);
        Asked.expect(
                room == fresh, "after all starts were undone: expected room for %d, got %d".formatted(fresh, room));
    }

    @Test
    default void anEndFreesItsOwnPlaceAtMost() {
        CustomLimit limit = open();
        List<Taken> taken = Asked.fill(limit);
        taken.getFirst().settle(1);
        taken.getFirst().end();
        int room = Asked.room(limit);
        Asked.expect(
                room <= 1,
                "1 of %d starts has ended: expected room for 1 at most, got %d".formatted(taken.size(), room));
    }

    @Test
    default void checkSaysWhatTryTakeDoesAndChangesNothing() {
        int fresh = Asked.room(open());
        CustomLimit limit = open();
        for (int i = 0; i <= fresh; i++) {
            for (int times = 0; times < 3; times++) {
                boolean isOpen = limit.check(1).isEmpty();
                Asked.expect(
                        isOpen == (i < fresh),
                        "check after %d of %d starts: expected it to be %s, got %s"
                                .formatted(i, fresh, i < fresh ? "open" : "denied", isOpen ? "open" : "denied"));
            }
            if (i < fresh) {
                Asked.taken(limit, "check was open");
            }
        }
    }

    @Test
    default void availableIsNeverTooMuch() {
        int fresh = Asked.room(open());
        CustomLimit limit = open();
        for (int left = fresh; left >= 0; left--) {
            for (int max : List.of(0, 1, left, ROOM_MAX + 1)) {
                int available = limit.available(max);
                int most = Math.min(max, left);
                Asked.expect(
                        available >= Math.min(1, most) && available <= most,
                        "available(%d) with room for %d: expected %d to %d, got %d"
                                .formatted(max, left, Math.min(1, most), most, available));
            }
            if (left > 0) {
                Asked.taken(limit, "it had room for " + left);
            }
        }
    }

    @Test
    default void clearForgetsWhatWasTaken() {
        CustomLimit limit = open();
        int fresh = Asked.fill(limit).size();
        limit.clear();
        int room = Asked.room(limit);
        Asked.expect(
                room == fresh, "after clear: expected room for %d starts, as at first, got %d".formatted(fresh, room));
    }

    @Test
    default void aDenialOfOneStartIsNotForEver() {
        CustomLimit limit = open();
        Asked.fill(limit);
        Denied denied = limit.check(1).orElseThrow(() -> Asked.failed("a full limit: expected check to be denied"));
        Asked.expect(
                !denied.isNever(),
                "a full limit: expected a denial that ends, got never: %s".formatted(denied.reason()));
    }

    @Test
    default void anyCostIsAnswered() {
        int fresh = Asked.room(open());
        CustomLimit limit = open();
        for (long cost : List.of(0L, 1L, 1_000_000_000_000L)) {
            switch (limit.tryTake(cost)) {
                case Taken taken -> taken.undo();
                case Denied denied -> {}
            }
        }
        int room = Asked.room(limit);
        Asked.expect(
                room == fresh,
                "after starts of any cost were undone: expected room for %d, got %d".formatted(fresh, room));
    }

    @Test
    default void whatADenialSaysOfTimeIsTrue() {
        CustomLimit limit = open();
        Asked.fill(limit);
        Duration next = limit.check(1).map(Denied::next).orElse(null);
        Assumptions.assumeTrue(next != null, "this limit opens by what is given back");
        Duration most = Duration.ofNanos(1_000);
        Assumptions.assumeTrue(
                pass(next.minus(most)),
                "not tested: this limit says when time opens it (in %s), and nothing checks that this is true; override pass(Duration) to move the clock of the limit"
                        .formatted(next));
        Asked.expect(
                limit.check(1).isPresent(), "opens in %s: expected a denial 1 µs before, got a start".formatted(next));
        pass(most);
        Asked.expect(limit.check(1).isEmpty(), "opens in %s: expected a start then, got a denial".formatted(next));
    }

    @Test
    default void besideALimiterThatDeniesNothingIsTaken() {
        int fresh = Asked.room(open());
        LocalLimiter held = Limiter.inProcess();
        LocalLimiter both = Limiter.inProcess(open()).add(held);
        held.hold(Duration.ofHours(1), "held by the test");
        for (int i = 0; i < fresh + 1; i++) {
            Asked.expect(both.tryAcquire() instanceof Denied, "beside a held limiter: expected a denial, got a permit");
        }
        held.release();
        int granted = 0;
        while (granted <= fresh && both.tryAcquire() instanceof Permit) {
            granted++;
        }
        Asked.expect(granted == fresh, "after these denials: expected %d permits, got %d".formatted(fresh, granted));
    }

    @Test
    default void manyThreadsTogetherGetNoMorePermitsThanItHasRoom() throws Exception {
        int fresh = Asked.room(open());
        LocalLimiter limiter = Limiter.inProcess(open());
        Callable<Integer> asking = () -> {
            int granted = 0;
            for (int i = 0; i <= fresh; i++) {
                granted += limiter.tryAcquire() instanceof Permit ? 1 : 0;
            }
            return granted;
        };
        int granted = 0;
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            for (Future<Integer> each : threads.invokeAll(List.of(asking, asking, asking, asking))) {
                granted += each.get();
            }
        }
        Asked.expect(
                granted == fresh, "asked by 4 threads: expected %d permits in all, got %d".formatted(fresh, granted));
    }

    /** Asks a limit, and says what is wrong. */
    final class Asked {
        private Asked() {}

        private static List<Taken> fill(CustomLimit limit) {
            List<Taken> taken = new ArrayList<>();
            while (limit.tryTake(1) instanceof Taken one) {
                taken.add(one);
                expect(
                        taken.size() <= ROOM_MAX,
                        "expected a limit that is full after %d starts at most".formatted(ROOM_MAX));
            }
            return taken;
        }

        private static int room(CustomLimit limit) {
            return fill(limit).size();
        }

        private static Taken taken(CustomLimit limit, String when) {
            return switch (limit.tryTake(1)) {
                case Taken taken -> taken;
                case Denied denied ->
                    throw failed("%s: expected a start, got a denial: %s".formatted(when, denied.reason()));
            };
        }

        private static void expect(boolean isSo, String message) {
            if (!isSo) {
                throw failed(message);
            }
        }

        private static AssertionError failed(String message) {
            return new AssertionError("custom limit: " + message);
        }
    }
}
