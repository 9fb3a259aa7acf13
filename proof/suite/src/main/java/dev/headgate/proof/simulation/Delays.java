package dev.headgate.proof.simulation;

/**
 * What takes long in a world, beyond the way to the store and back.
 *
 * @param lockPerMille how many locks of gates are waited for; the store's clock goes on meanwhile
 * @param lockNanosMax how long such a wait takes at most
 * @param beatPerMille how many heartbeats take up to 1.25 leases, on their way to the store or back
 * @param callPerMille how many answers to other writes take up to one lease; half as many writes are that late
 * @param lookPerMille how many writes that follow a read come so late that others write in between
 */
record Delays(int lockPerMille, long lockNanosMax, int beatPerMille, int callPerMille, int lookPerMille) {
    private static final long MILLI = 1_000_000;

    static Delays of(long seed) {
        Dice dice = Dice.of(seed, 8);
        return new Delays(
                dice.oneIn(2) ? 0 : (int) dice.spread(5, 200),
                dice.spread(5, 80) * MILLI,
                dice.oneIn(2) ? 0 : (int) dice.spread(100, 600),
                dice.oneIn(2) ? 0 : (int) dice.spread(5, 150),
                dice.oneIn(2) ? 0 : (int) dice.spread(20, 500));
    }
}
