package dev.headgate.proof.mutants;

/**
 * A statement that lacks one guard: a condition for what is written or locked, or a lock.
 *
 * @param statement the name of its file, without the ending
 * @param guard what it lacks, in one line: {@code where epoch = :epoch}
 * @param text the whole file as the database gets it then
 */
public record SqlMutant(String statement, String guard, String text) {
    /** What it is called in the files that tell of it. */
    public String name() {
        return statement + ": " + guard;
    }

    @Override
    public String toString() {
        return name();
    }
}
