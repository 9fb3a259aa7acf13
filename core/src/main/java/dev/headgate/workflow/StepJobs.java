package dev.headgate.workflow;

import dev.headgate.handler.JobContext;
import dev.headgate.internal.run.Move.Artifact;
import dev.headgate.job.JobSpec;
import dev.headgate.run.RunId;
import java.util.List;
import java.util.function.Consumer;

/** What state machines share with workflows: the job of a step, and the step that runs. Nothing for users to call. */
public final class StepJobs {
    private StepJobs() {}

    /**
     * A job as the options of its step say.
     *
     * @param what names the step in messages
     */
    public static JobSpec job(String what, String type, String payload, String queue, Consumer<StepOptions> options) {
        StepOptions said = new StepOptions(queue);
        options.accept(said);
        return said.job(what, type, payload);
    }

    public static Step step(String name, RunId run, JobContext job) {
        return new Step(name, run, job);
    }

    /** What the step wants kept. */
    public static List<Artifact> artifacts(Step step) {
        return step.artifacts();
    }
}
