package dev.headgate.internal.evidence;

import java.math.BigInteger;

/** Products that need not fit into a long. A replay may be slow; it must not overflow. */
final class Exact {
    private Exact() {}

    static BigInteger product(long one, long other) {
        return BigInteger.valueOf(one).multiply(BigInteger.valueOf(other));
    }

    /** {@code ceil(a × b / c)}, cut at what fits. */
    static long ceil(long a, long b, long c) {
        return ceil(product(a, b), c);
    }

    static long ceil(BigInteger parts, long of) {
        return fit(floor(parts.negate(), of).negate());
    }

    static BigInteger floor(BigInteger parts, long of) {
        BigInteger[] division = parts.divideAndRemainder(BigInteger.valueOf(of));
        return division[1].signum() < 0 ? division[0].subtract(BigInteger.ONE) : division[0];
    }

    static long fit(BigInteger number) {
        return number.bitLength() < Long.SIZE ? number.longValue() : number.signum() < 0 ? Long.MIN_VALUE : FAR;
    }

    /** Later than any instant and more than any count. */
    static final long FAR = Long.MAX_VALUE / 2;
}
