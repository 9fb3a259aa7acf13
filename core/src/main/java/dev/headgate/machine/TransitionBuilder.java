package dev.headgate.machine;

import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A transition in the making; {@link #goTo} or {@link #stay} ends it. Guards and updates run on a worker, outside every
 * transaction, and may run more than once before they count: let them only compute.
 *
 * @param <D> the data of the machine
 * @param <P> what comes with the event
 */
public final class TransitionBuilder<D, P> {
    private final StateBuilder<D> state;
    private final Class<D> type;
    private final @Nullable Class<P> payload;
    private final Consumer<Transition> add;
    private @Nullable BiPredicate<Object, @Nullable Object> guard;
    private @Nullable BiFunction<Object, @Nullable Object, @Nullable Object> update;

    TransitionBuilder(StateBuilder<D> state, Class<D> type, @Nullable Class<P> payload, Consumer<Transition> add) {
        this.state = state;
        this.type = type;
        this.payload = payload;
        this.add = add;
    }

    /** Only if this holds. Of several transitions for one event, the first whose guard holds is taken. */
    public TransitionBuilder<D, P> when(BiPredicate<D, P> holds) {
        guard = (data, sent) -> holds.test(type.cast(data), cast(sent));
        return this;
    }

    /** The same for a guard that needs only the data. */
    public TransitionBuilder<D, P> when(Predicate<D> holds) {
        guard = (data, sent) -> holds.test(type.cast(data));
        return this;
    }

    /** Makes the next data of the present ones and what came with the event. */
    public TransitionBuilder<D, P> then(BiFunction<D, P, D> next) {
        update = (data, sent) -> next.apply(type.cast(data), cast(sent));
        return this;
    }

    /** Makes the next data of the present ones alone. */
    public TransitionBuilder<D, P> then(UnaryOperator<D> next) {
        update = (data, sent) -> next.apply(type.cast(data));
        return this;
    }

    // What a transition without a payload hands on is null, which its lambda has no use for.
    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
    private P cast(@Nullable Object sent) {
        return payload == null ? null : payload.cast(sent);
    }

    /** Enters a state; if it is the present one, it is left and entered anew, with its entry action and its timer. */
    public StateBuilder<D> goTo(String target) {
        add.accept(new Transition(payload, guard, update, target));
        return state;
    }

    /** Stays in the state with other data: no entry action, and its timer runs on. */
    public StateBuilder<D> stay() {
        add.accept(new Transition(payload, guard, update, null));
        return state;
    }
}
