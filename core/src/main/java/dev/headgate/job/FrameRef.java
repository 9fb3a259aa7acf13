package dev.headgate.job;

/**
 * Which part of a workflow run a job works for: the frame, and the revision of it that made the job. A frame moves on
 * only at the end of a job that was made by the revision it is in, so that each step counts once.
 */
public record FrameRef(long frame, long revision) {
    /** For a job that may end in any revision, such as a timer over the whole run. */
    public static final long ANY_REVISION = -1;

    /** For a job that is wanted whatever has become of its run, such as one that cleans up after it. */
    public static final long ALWAYS = -2;

    /** Whether the part of the run, which is in this revision now, still wants this job. */
    public boolean isFor(long current) {
        return revision < 0 || revision == current;
    }
}
