package dev.headgate.benchmarks.http;

import dev.headgate.Headgate;
import dev.headgate.server.HeadgateServer;
import dev.headgate.server.token.Right;
import dev.headgate.server.token.TokenRequest;
import dev.headgate.server.token.Tokens;
import java.io.IOException;

/** A store and its server, in this process. */
final class Served implements AutoCloseable {
    final String url;
    final Headgate headgate;
    final HeadgateServer server;
    final String token;

    Served(String url) {
        this.url = url;
        this.headgate = Headgate.open(url);
        this.server = HeadgateServer.of(headgate).start();
        this.token = Tokens.of(headgate)
                .create(TokenRequest.named("bench").right(Right.ADMIN))
                .secret();
    }

    Connection connect() throws IOException {
        return new Connection(server.port(), token);
    }

    @Override
    public void close() {
        server.close();
        headgate.close();
    }
}
