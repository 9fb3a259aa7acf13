package dev.headgate.spi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Access tokens. Small: a row for each program or person that was let in. */
public interface TokenTable {
    /** By the time at which they were made, then by id. */
    List<TokenRow> all();

    /** The token with this hash, also if it has expired. */
    @Nullable
    TokenRow find(String hash);

    /** Returns false, and writes nothing, if a token has this id or this hash already. */
    boolean insert(TokenRow row);

    /** Notes that the token was used at this instant. An instant before the one that is noted changes nothing. */
    void use(String id, long at);

    /** Returns whether there was such a token. */
    boolean delete(String id);

    /** Deletes the tokens that expired before this instant; returns how many. */
    int prune(long before);
}
