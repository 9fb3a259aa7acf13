package dev.headgate.workflow;

import dev.headgate.handler.JobContext;
import dev.headgate.internal.text.Names;
import dev.headgate.run.RunId;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** The step that is running: which one, of which run, and the job it runs as. Thread-safe. */
public final class Step {
    /** The longest artifact, in UTF-8 bytes. */
    public static final int ARTIFACT_BYTES_MAX = 1024 * 1024;

    /** The most artifacts of one step: they are written together, in the transaction that records it. */
    public static final int ARTIFACTS_MAX = 100;

    private final String name;
    private final RunId part;
    private final JobContext job;
    private final Map<String, String> artifacts = new LinkedHashMap<>();

    /** A step as a worker makes it; for tests of the code of a step. */
    public Step(String name, RunId part, JobContext job) {
        this.name = name;
        this.part = part;
        this.job = job;
    }

    /** The name that the step has in its workflow. */
    public String name() {
        return name;
    }

    /** The run, or the branch or item of one, that this is a step of. */
    public RunId run() {
        return part;
    }

    /** Progress, log, gates, attempts, cancellation: all that a plain job has. */
    public JobContext job() {
        return job;
    }

    /**
     * Keeps something with the run under a name, if and when this step succeeds. One of the same name is replaced; a
     * step may keep a hundred.
     *
     * @param content text of at most 1 MiB
     */
    public synchronized void artifact(String artifact, String content) {
        Names.check("artifact", artifact);
        int bytes = content.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > ARTIFACT_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "artifact '%s' of step '%s': expected at most %d bytes, got %d; keep it elsewhere and store where it is"
                            .formatted(artifact, name, ARTIFACT_BYTES_MAX, bytes));
        }
        artifacts.remove(artifact);
        if (artifacts.size() == ARTIFACTS_MAX) {
            throw new IllegalArgumentException(
                    "artifact '%s' of step '%s': expected at most %d artifacts in one step; keep several in one, or split the step"
                            .formatted(artifact, name, ARTIFACTS_MAX));
        }
        artifacts.put(artifact, content);
    }

    /** What it wants kept so far, by name. */
    public synchronized Map<String, String> artifacts() {
        return Collections.unmodifiableMap(new LinkedHashMap<>(artifacts));
    }

    /**
     * The code of a step: gets the state, returns the next one. Like any handler it may run more than once, so make it
     * idempotent; what it returns is recorded once. It throws what handlers throw.
     */
    @FunctionalInterface
    public interface Code<S, R> {
        /** Does the work of the step, and returns the next state; null is not allowed. */
        R apply(S state, Step step) throws Exception;
    }
}
