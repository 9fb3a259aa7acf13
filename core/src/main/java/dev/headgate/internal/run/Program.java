package dev.headgate.internal.run;

import dev.headgate.internal.handler.Handler;
import dev.headgate.internal.json.JsonCodec;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * What the engine needs of a workflow or state machine and its users do not see. The packages of the two hand it over when
 * they are loaded: so none of their public types names an internal one.
 */
public interface Program<I> {
    /** What a store must know of it. */
    Move.Definition definition();

    /** The first moves of runs that are started with these. */
    List<Move.To> begin(JsonCodec codec, List<I> inputs);

    /** One handler per step or entry action that is a job, and two that steer. */
    List<Handler<?>> handlers(JsonCodec codec, FrameView.Reader reader);

    /** Opens all that are of this type. */
    static <T> void register(Class<T> type, Function<T, Program<?>> opener) {
        Openers.BY_TYPE.put(type, definition -> opener.apply(type.cast(definition)));
    }

    /** The program behind a workflow that takes {@code I}, or a machine whose data is {@code I}. */
    @SuppressWarnings("unchecked") // both take what they say in their own type
    static <I> Program<I> of(Object definition) {
        Function<Object, Program<?>> opener = Openers.BY_TYPE.get(definition.getClass());
        if (opener == null) {
            throw new IllegalArgumentException(
                    "program: expected a workflow or a state machine, got " + definition.getClass());
        }
        return (Program<I>) opener.apply(definition);
    }

    /** How each type is opened. */
    final class Openers {
        private static final Map<Class<?>, Function<Object, Program<?>>> BY_TYPE = new ConcurrentHashMap<>();

        private Openers() {}
    }
}
