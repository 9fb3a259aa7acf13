package dev.headgate.spi;

/** Jobs were checked against policies that have changed since; nothing was appended. The caller checks them anew. */
public final class StalePoliciesException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StalePoliciesException() {
        super("the policies have changed since these jobs were checked", null, false, false);
    }
}
