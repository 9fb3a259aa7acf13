package dev.headgate.workflow;

import dev.headgate.internal.run.FrameView.ChildEnd;
import dev.headgate.run.Join;
import dev.headgate.run.RunState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The branches of a {@link Flow#parallel}: each begins with the state, and each is a part of the run of its own. */
public final class Branches<S> {
    private final Draft draft;
    private final Class<S> type;
    private final List<Node.Body> bodies = new ArrayList<>();
    private Join join = Join.all();

    Branches(Draft draft, Class<S> type) {
        this.draft = draft;
        this.type = type;
    }

    /** A branch of one step, which has the branch's name. */
    public <R> Branches<S> branch(String name, Class<R> to, Step.Code<S, R> code) {
        return branch(name, flow -> flow.then(name, to, code));
    }

    /** A branch of several steps. */
    public <R> Branches<S> branch(String name, Function<Flow<S, S>, Flow<S, R>> body) {
        Flow<S, R> built = body.apply(Flow.begin(draft, type));
        bodies.add(draft.body(name, type, built));
        return this;
    }

    /** How many must succeed. Default: all. */
    public Branches<S> join(Join how) {
        join = how;
        return this;
    }

    List<Node.Body> bodies() {
        return bodies;
    }

    Join join() {
        return join;
    }

    /** What the branches of a {@link Flow#parallel} returned. */
    public static final class Results {
        private final List<ChildEnd> ends;
        private final Node.ChildReader reader;

        Results(List<ChildEnd> ends, Node.ChildReader reader) {
            this.ends = ends;
            this.reader = reader;
        }

        /** What this branch returned; absent if it failed or was no longer needed. */
        public <R> Optional<R> find(String branch, Class<R> type) {
            for (ChildEnd end : ends) {
                if (end.name().equals(branch) && end.state() == RunState.SUCCEEDED && end.json() != null) {
                    return Optional.of(reader.read(end.json(), type));
                }
            }
            return Optional.empty();
        }

        /**
         * What this branch returned.
         *
         * @throws IllegalStateException if it did not succeed
         */
        public <R> R of(String branch, Class<R> type) {
            return find(branch, type)
                    .orElseThrow(() -> new IllegalStateException(
                            "branch '%s': expected it to have succeeded; use find(…) where".formatted(branch)
                                    + " not all branches must"));
        }
    }
}
