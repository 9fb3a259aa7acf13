package dev.headgate.server.api;

import dev.headgate.internal.json.JsonWriter;
import dev.headgate.server.token.Right;
import dev.headgate.server.token.Token;

/** Tokens as JSON, for the HTTP API and the command line; never with a secret. */
public final class TokenJson {
    private TokenJson() {}

    /** One token. */
    public static JsonWriter of(Token token) {
        return JsonWriter.object()
                .put("id", token.id())
                .put("name", token.name())
                .put("rights", token.rights().stream().sorted().map(Right::text).toList())
                .put("queues", token.queues())
                .put("types", token.types())
                .put("createdAt", token.createdAt())
                .put("expiresAt", token.expiresAt())
                .put("usedAt", token.usedAt());
    }
}
