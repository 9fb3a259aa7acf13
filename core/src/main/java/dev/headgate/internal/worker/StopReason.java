package dev.headgate.internal.worker;

/** Why a running handler is asked to stop. */
enum StopReason {
    CANCELLED("was cancelled"),
    TIMED_OUT("took too long"),
    PAST_DEADLINE("did not end before its deadline"),
    SHUTDOWN("its worker stops"),
    LEASE_ENDING("its worker cannot reach the store, and its lease ends soon"),
    LOST("its lease is gone");

    private final String text;

    StopReason(String text) {
        this.text = text;
    }

    /** Whether a handler that has not been entered by then stays unentered. */
    boolean keepsOut() {
        return this == CANCELLED || this == SHUTDOWN || this == LEASE_ENDING || this == LOST;
    }

    String text() {
        return text;
    }
}
