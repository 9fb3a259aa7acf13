package dev.headgate.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How long a connection is kept. The time that passes is the tasks that are run. */
class ConnectionsTest {
    private final Deque<Runnable> later = new ArrayDeque<>();
    private final Connections connections = new Connections(
            () -> {
                throw new AssertionError("expected no TLS");
            },
            later::add);
    private ServerSocket listening;

    @BeforeEach
    void listen() throws IOException {
        listening = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        listening.close();
    }

    private HttpConnection open() throws IOException {
        try (Deadline deadline = new Deadline(Duration.ofMinutes(2))) {
            Origin origin = new Origin(false, "one.test", listening.getLocalPort());
            return connections.open(origin, List.of(InetAddress.getLoopbackAddress()), deadline);
        }
    }

    @Test
    void aConnectionThatIsNotUsedAgainIsClosed() throws IOException {
        connections.keep(open());
        try (Socket server = listening.accept()) {
            later.remove().run();
            assertThat(server.getInputStream().read()).as("hung up").isEqualTo(-1);
        }
        open().close();
        listening.accept().close();
    }

    @Test
    void oneThatIsUsedAgainStaysAsLongAsIfItWereNew() throws IOException {
        HttpConnection first = open();
        connections.keep(first);
        assertThat(open()).isSameAs(first);
        connections.keep(first);
        later.remove().run();
        assertThat(open()).as("only its first stay is over").isSameAs(first);
        first.close();
    }

    @Test
    void theOneThatWasUsedLastComesFirst() throws IOException {
        HttpConnection first = open();
        HttpConnection second = open();
        connections.keep(first);
        connections.keep(second);
        assertThat(open()).isSameAs(second);
        assertThat(open()).isSameAs(first);
        first.close();
        second.close();
    }
}
