package dev.headgate.evidence;

/**
 * Which rows of a journal follow one another without a break. What comes before the first of them was deleted because its time was
 * over, or never was.
 *
 * @param first the number of the first of them; {@code last + 1} if there is none
 * @param last the number of the last of them, or of the last one that was deleted; 0 if there was none
 * @param head the hash of that row; empty if there was none
 */
public record ChainProof(long first, long last, String head) {
    public static final ChainProof NONE = new ChainProof(1, 0, "");

    /** What a certificate keeps of it. */
    public End end() {
        return new End(last, head);
    }

    /** How many rows there are. */
    public long rows() {
        return last - first + 1;
    }

    /**
     * A row of a journal and its hash, as a certificate has them of the last row that it proves.
     *
     * @param row 0 and an empty hash if it proves none
     */
    public record End(long row, String hash) {}
}
