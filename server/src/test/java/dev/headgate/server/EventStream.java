package dev.headgate.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/** A viewer of events over a socket, which reads what comes line by line. */
final class EventStream implements AutoCloseable {
    private final Socket socket;
    private final BufferedReader in;

    /** One event. */
    record Event(String kind, String id, JsonNode data) {}

    /** Asks for events, and waits until they are told from here on. */
    EventStream(ServerRig rig, String query, String token, String lastEventId) throws IOException {
        socket = rig.raw.open();
        String last = lastEventId.isEmpty() ? "" : "Last-Event-ID: " + lastEventId + "\r\n";
        socket.getOutputStream()
                .write("GET /v1/events%s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n%s\r\n"
                        .formatted(query, token, last)
                        .getBytes(StandardCharsets.UTF_8));
        in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        assertThat(in.readLine()).isEqualTo("HTTP/1.1 200 OK");
        List<String> head = new ArrayList<>();
        String line = "";
        while (!line.startsWith(": you are told")) {
            line = in.readLine();
            assertThat(line).isNotNull();
            head.add(line.toLowerCase(java.util.Locale.ROOT));
        }
        assertThat(head).contains("content-type: text/event-stream", "cache-control: no-store");
    }

    /** The next event; absent at the end of the stream. */
    Event next() throws IOException {
        String kind = "";
        String id = "";
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.startsWith("event: ")) {
                kind = line.substring(7);
            } else if (line.startsWith("id: ")) {
                id = line.substring(4);
            } else if (line.startsWith("data: ")) {
                return new Event(kind, id, Contract.JSON.readTree(line.substring(6)));
            }
        }
        return null;
    }

    /** Passes over events until one is like this. */
    Event await(Predicate<Event> wanted) throws IOException {
        Event event = next();
        while (event != null && !wanted.test(event)) {
            event = next();
        }
        assertThat(event).as("the stream ended").isNotNull();
        return event;
    }

    /** So many events of this kind, in their order. */
    List<Event> take(String kind, int count) throws IOException {
        List<Event> taken = new ArrayList<>();
        while (taken.size() < count) {
            taken.add(await(event -> event.kind().equals(kind)));
        }
        return taken;
    }

    boolean isEnded() throws IOException {
        Event event = next();
        while (event != null) {
            event = next();
        }
        return true;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
