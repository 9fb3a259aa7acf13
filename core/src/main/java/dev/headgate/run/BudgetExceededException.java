package dev.headgate.run;

/** A start that its own budget does not cover. Nothing was created. */
public final class BudgetExceededException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public BudgetExceededException(String message) {
        super(message);
    }
}
