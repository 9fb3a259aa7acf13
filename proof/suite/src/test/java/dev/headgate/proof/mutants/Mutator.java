package dev.headgate.proof.mutants;

import java.util.Locale;

/** The changes that are made to code, each by the name that files and people call it. */
enum Mutator {
    /** The other branch is taken. */
    NEGATE_CONDITION,
    /** {@code <} is {@code <=}, {@code >} is {@code >=}, and the other way round. */
    SHIFT_BOUNDARY,
    /** {@code +} is {@code -}, {@code *} is {@code /}, the smaller of two is the greater, and the other way round. */
    SWAP_ARITHMETIC,
    /** A call whose result nothing uses is left out. */
    DROP_CALL,
    /** 0, false, or an empty text, list, set, map or optional is returned. */
    RETURN_ZERO,
    /** True is returned. */
    RETURN_TRUE,
    /** A constant is larger by 1; a counter counts the other way. */
    INCREMENT;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
