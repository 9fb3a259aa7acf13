package dev.headgate.evidence;

/**
 * A row of a journal and its hash, as a certificate has them of the last row that it proves.
 *
 * @param row 0 and an empty hash if it proves none
 */
public record ChainPoint(long row, String hash) {}
