package dev.headgate.internal.run;

/** How the job types of workflow steps are named: {@code ship@1/reserve}. */
public final class StepType {
    /** Decides what comes next where no step has just done so: after a sleep, a signal, the last child. */
    public static final String ADVANCE = "~advance";

    /** Decides what a failure means. If even that fails, so has the run. */
    public static final String SETTLE = "~settle";

    private static final String CONTROL = "/~";

    private StepType() {}

    public static String of(String workflow, int version, String step) {
        return workflow + "@" + version + "/" + step; // for every step of every run, so not formatted
    }

    /** Whether jobs of this type only steer a run: they cost nothing and are not charged. */
    public static boolean isControl(String type) {
        return type.contains(CONTROL);
    }

    public static boolean isSettling(String type) {
        return type.endsWith("/" + SETTLE);
    }
}
