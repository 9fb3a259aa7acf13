package dev.headgate;

/**
 * What a method was asked about is not in the store: there is no such job, run or schedule. It never was there, or it was
 * deleted, or pruned after its retention. Nothing was changed.
 *
 * <p>The rule for the whole API: methods whose name begins with {@code find} return an empty {@link java.util.Optional} for
 * an id that the store does not know; every other method that takes an id throws this. Names of queues, gates and job types
 * are no ids: they mean something as soon as a job or a policy uses them, so a name that nothing uses yet is no error.
 */
public abstract sealed class NotFoundException extends IllegalArgumentException
        permits UnknownJobException, UnknownRunException, UnknownScheduleException {
    private static final long serialVersionUID = 1L;

    NotFoundException(String message) {
        super(message);
    }
}
