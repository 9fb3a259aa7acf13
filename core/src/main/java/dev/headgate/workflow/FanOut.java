package dev.headgate.workflow;

import dev.headgate.internal.run.FrameView.ChildEnd;
import dev.headgate.run.Join;
import dev.headgate.run.RunState;
import java.util.List;
import java.util.function.BiFunction;

/**
 * A fan-out in the making: say how many of its items must succeed, and what becomes of their results.
 *
 * @param <R> what each item returns
 */
public final class FanOut<I, S, R> {
    private final Flow<I, S> flow;
    private final Node.Fork fork;
    private final Class<R> result;
    private Join join = Join.all();

    FanOut(Flow<I, S> flow, Node.Fork fork, Class<R> result) {
        this.flow = flow;
        this.fork = fork;
        this.result = result;
    }

    /** How many must succeed. Default: all. */
    public FanOut<I, S, R> join(Join how) {
        join = how;
        return this;
    }

    /** Makes the next state of the state and the results of all that succeeded, in the order of the items. */
    public Flow<I, S> reduce(BiFunction<S, List<R>, S> reducer) {
        return reduce(flow.type(), reducer);
    }

    /** The same, for a next state of another type. */
    public <N> Flow<I, N> reduce(Class<N> to, BiFunction<S, List<R>, N> reducer) {
        Class<S> type = flow.type();
        return flow.fork(
                fork.with(join, (state, ends, reader) -> reducer.apply(type.cast(state), results(ends, reader))), to);
    }

    private List<R> results(List<ChildEnd> ends, Node.ChildReader reader) {
        return ends.stream()
                .filter(end -> end.state() == RunState.SUCCEEDED && end.json() != null)
                .map(end -> reader.read(String.valueOf(end.json()), result))
                .toList();
    }

    /** Goes on with the state as it was. */
    public Flow<I, S> ignoringResults() {
        return flow.fork(fork.with(join, (state, ends, reader) -> state), flow.type());
    }
}
