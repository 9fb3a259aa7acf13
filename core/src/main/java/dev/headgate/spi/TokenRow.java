package dev.headgate.spi;

import org.jspecify.annotations.Nullable;

/**
 * An access token: what its bearer may do over HTTP. The secret itself is not stored.
 *
 * @param id names the token in lists and commands; it gives no access
 * @param name what the token is for, in its owner's words
 * @param hash SHA-256 of the secret, in hexadecimal
 * @param rights names of rights, joined by a line break
 * @param queues patterns of the queues that it may touch, joined by a line break; empty if it may touch all
 * @param types patterns of the job types that it may touch, joined by a line break; empty if it may touch all
 * @param expiresAt from this instant on it gives no access; absent if it never expires
 * @param usedAt about when it was last used; absent if never
 */
public record TokenRow(
        String id,
        String name,
        String hash,
        String rights,
        String queues,
        String types,
        long createdAt,
        @Nullable Long expiresAt,
        @Nullable Long usedAt) {}
