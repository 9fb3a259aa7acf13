package dev.headgate.job;

/** When to try again, as it is stored with a job. {@link dev.headgate.handler.RetryPolicy} is the one there is. */
public interface RetryRule {
    /** Its text form, such as {@code fixed 5s}. */
    String text();
}
