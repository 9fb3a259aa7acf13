package dev.headgate.server.http;

/** The headers of every response: a browser guesses no type, shows it in no frame, runs nothing, sends no referrer, stores nothing. */
public final class SafeHeaders {
    private SafeHeaders() {}

    public static Response on(Response response) {
        return response.with("X-Content-Type-Options", "nosniff")
                .with("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
                .with("Referrer-Policy", "no-referrer")
                .with("Cross-Origin-Resource-Policy", "same-origin")
                .with("Cache-Control", "no-store");
    }
}
