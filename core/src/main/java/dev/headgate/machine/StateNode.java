package dev.headgate.machine;

import dev.headgate.workflow.Step;
import dev.headgate.workflow.StepOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A state as {@link MachineMoves} sees it.
 *
 * @param events the transitions of each event, in the order in which their guards are asked
 * @param done those after the entry action, before any event
 * @param failure those for an entry action that failed for good
 */
record StateNode(
        String name,
        boolean isFinal,
        @Nullable Action entry,
        Map<String, List<Transition>> events,
        @Nullable Timer timer,
        List<Transition> done,
        List<Transition> failure) {

    /**
     * An entry action, which is a job.
     *
     * @param always the options that hold for all its jobs
     * @param options those that depend on the data
     */
    record Action(
            String name,
            Step.Code<Object, Object> code,
            Consumer<StepOptions> always,
            BiConsumer<Object, StepOptions> options) {}

    /**
     * The timer of a state.
     *
     * @param event what it raises; absent if it has a transition of its own
     */
    record Timer(
            Duration after,
            @Nullable String event,
            @Nullable Transition transition) {}

    /** Where a run stands that is in this state: behind a slash, the entry action if it has not ended. */
    String position() {
        return entry == null ? name : name + "/" + entry.name();
    }

    static String stateOf(String position) {
        int slash = position.indexOf('/');
        return slash < 0 ? position : position.substring(0, slash);
    }

    static @Nullable String actionOf(String position) {
        int slash = position.indexOf('/');
        return slash < 0 ? null : position.substring(slash + 1);
    }

    /** What the timer may lead to. */
    List<Transition> timed() {
        if (timer == null) {
            return List.of();
        }
        return timer.transition() == null
                ? events.getOrDefault(String.valueOf(timer.event()), List.of())
                : List.of(timer.transition());
    }

    Stream<Transition> transitions() {
        return Stream.of(
                        events.values().stream().flatMap(List::stream),
                        timed().stream(),
                        done.stream(),
                        failure.stream())
                .flatMap(each -> each);
    }

    /** What may not change without a new version. */
    List<String> shape() {
        List<String> lines = new ArrayList<>();
        lines.add("%s %s".formatted(isFinal ? "final" : "state", name));
        if (entry != null) {
            lines.add("  entry " + entry.name());
        }
        events.forEach((event, ways) -> ways.forEach(way -> lines.add("  on %s: %s".formatted(event, way))));
        if (timer != null) {
            lines.add(timer.event() == null ? "  after: " + timer.transition() : "  after: raise " + timer.event());
        }
        done.forEach(way -> lines.add("  done: " + way));
        failure.forEach(way -> lines.add("  failure: " + way));
        return lines;
    }
}
