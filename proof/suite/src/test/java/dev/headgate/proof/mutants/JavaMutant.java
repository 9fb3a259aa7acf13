package dev.headgate.proof.mutants;

/**
 * One change of one method.
 *
 * @param type the class, without the name of its package's parent packages: {@code admission.RateMeter}
 * @param method the method that it is written in; a lambda is part of the method around it
 * @param number counts what this mutator changes in this method, from 1
 * @param line where it stands
 * @param site what it shares with others that change the same instruction
 */
record JavaMutant(String type, String method, Mutator mutator, int number, int line, int site) {
    /** The method, as the records call it. */
    String place() {
        return type + "." + method;
    }

    /** What distinguishes it in its method. */
    String change() {
        return mutator + "#" + number;
    }

    String name() {
        return place() + " " + change();
    }

    @Override
    public String toString() {
        return "%s (line %d)".formatted(name(), line);
    }
}
