package dev.headgate.cli.store;

/** One result of the doctor. */
record Finding(String check, Level level, String found) {
    /** How bad it is. */
    enum Level {
        OK,
        /** Worth knowing; may be on purpose. */
        NOTE,
        /** Wrong: an operator should act. */
        PROBLEM
    }

    static Finding ok(String check, String found) {
        return new Finding(check, Level.OK, found);
    }

    static Finding note(String check, String found) {
        return new Finding(check, Level.NOTE, found);
    }

    static Finding problem(String check, String found) {
        return new Finding(check, Level.PROBLEM, found);
    }
}
