package dev.headgate.internal.evidence;

import dev.headgate.evidence.ChainProof;
import dev.headgate.evidence.Verification.Finding;
import org.jspecify.annotations.Nullable;

/** Whether a journal goes on from the row that a certificate ends with. */
final class Continuation {
    private final ChainProof.End since;
    private boolean isMet;
    private @Nullable Finding finding;

    Continuation(ChainProof.End since) {
        this.since = since;
        this.isMet = since.row() == 0;
    }

    /** Rows up to this one were deleted in their time. */
    void pruned(long row, String hash) {
        passed(row, hash);
        if (!isMet && finding == null && row > since.row()) {
            finding = finding(
                    Finding.Kind.UNPROVED,
                    "the certificate ends with it, and rows up to %d were deleted because their time was over: whether the journal goes on from it can no longer be shown; make the next certificate while the last row of the one before is kept"
                            .formatted(row));
        }
    }

    /** This row is as the gate has written it. */
    void passed(long row, String hash) {
        if (isMet || finding != null || row != since.row()) {
            return;
        }
        isMet = hash.equals(since.hash());
        if (!isMet) {
            finding = finding(
                    Finding.Kind.NOT_CONTINUED,
                    "the certificate says that its hash is %s, and it is %s: the journal was written anew, or the certificate is of another store"
                            .formatted(since.hash(), hash));
        }
    }

    /** This was the last row, and nothing is broken. */
    void ended(long row) {
        if (!isMet && finding == null) {
            finding = finding(
                    Finding.Kind.NOT_CONTINUED,
                    "the certificate ends with it, and the gate has written %d: rows were taken away, the store was put back from a backup, or the certificate is of another store"
                            .formatted(row));
        }
    }

    private Finding finding(Finding.Kind kind, String text) {
        return new Finding(kind, since.row(), 0, null, text);
    }

    @Nullable
    Finding finding() {
        return finding;
    }
}
