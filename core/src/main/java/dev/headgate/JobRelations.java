package dev.headgate;

import dev.headgate.job.Unmet;
import dev.headgate.spi.Need;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The other jobs that one job names: what it waits for, its children, its name in the call. */
final class JobRelations {
    private final List<Need.Job> needs = new ArrayList<>();
    private final List<Mate> mates = new ArrayList<>();
    private final List<Child> children = new ArrayList<>();
    private @Nullable String name;

    /** Another job of the same call, by its name. */
    record Mate(String name, Unmet unmet) {}

    /** A job that comes with this one; its payload is written when that is enqueued. */
    record Child(Unmet unmet, Function<RequestContext, JobRequest> job) {}

    List<Need.Job> needs() {
        return needs;
    }

    List<Mate> mates() {
        return mates;
    }

    List<Child> children() {
        return children;
    }

    @Nullable
    String name() {
        return name;
    }

    void name(String given) {
        name = given;
    }
}
