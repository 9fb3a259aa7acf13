package dev.headgate.server.api;

import dev.headgate.internal.time.Ticker;
import dev.headgate.server.http.Problem;
import dev.headgate.server.http.ProblemException;
import dev.headgate.server.http.Query;
import dev.headgate.server.http.Response;
import dev.headgate.server.http.Response.Streamed;
import dev.headgate.server.live.EventFeed;
import dev.headgate.server.live.FeedEvent;
import dev.headgate.server.live.FeedFilter;
import dev.headgate.server.route.Call;
import dev.headgate.server.route.Route;
import dev.headgate.server.token.Right;
import dev.headgate.spi.EndPosition;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What changes, as server-sent events. */
public final class EventRoutes {
    private static final String LAST = "Last-Event-ID";
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);

    /** So often a token is looked up again that was let in. */
    private static final Duration CHECKED_EACH = Duration.ofSeconds(2);

    private EventRoutes() {}

    public static List<Route> all() {
        return List.of(Route.jobs("watch", "GET", "/v1/events", Right.READ, EventRoutes::watch)
                .taking("queue", "type", "job", "run")
                .heeding(LAST));
    }

    private static Response watch(Call call) {
        FeedFilter filter = filter(call);
        EndPosition since = position(call);
        if (call.live().feed().viewers() >= EventFeed.VIEWERS_MAX) {
            throw new ProblemException(
                            Problem.TOO_MANY_VIEWERS,
                            "expected at most %d viewers of one server".formatted(EventFeed.VIEWERS_MAX))
                    .header("Retry-After", "5");
        }
        return new Response(
                200,
                Map.of("X-Accel-Buffering", "no"),
                new Streamed("text/event-stream", out -> write(call, filter, since, out)));
    }

    private static FeedFilter filter(Call call) {
        Query query = call.query();
        String queue = query.text("queue");
        String type = query.text("type");
        Long job = query.text("job") == null ? null : Long.valueOf(query.number("job"));
        Long run = query.text("run") == null ? null : Long.valueOf(query.number("run"));
        if ((job != null || run != null) && (queue != null || type != null || (job != null && run != null))) {
            throw new ProblemException(
                    Problem.BAD_QUERY, "expected job, or run, or queue and type; got several of these");
        }
        if (job != null) {
            call.job(job);
        } else if (run != null) {
            RunScope.run(call, run);
        } else {
            JobRoutes.checkScope(call.bearer(), queue, type);
        }
        return new FeedFilter(queue, type, job, run);
    }

    /** Where a viewer that was cut off goes on. */
    private static @Nullable EndPosition position(Call call) {
        List<String> sent = call.request().headers(LAST);
        if (sent.isEmpty() || sent.getFirst().isBlank()) {
            return null;
        }
        String[] parts = sent.getFirst().strip().split("-", 2);
        try {
            if (sent.size() == 1 && parts.length == 2) {
                return new EndPosition(Long.parseLong(parts[0]), Long.parseLong(parts[1]));
            }
        } catch (NumberFormatException unreadable) {
            // told below
        }
        throw new ProblemException(
                Problem.BAD_HEADER, "header '%s': expected an id that this stream sent".formatted(LAST));
    }

    private static void write(Call call, FeedFilter filter, @Nullable EndPosition since, OutputStream out)
            throws IOException {
        try (EventFeed.View view = call.live().feed().view(filter)) {
            send(out, "retry: 2000\n: you are told from here on\n\n");
            List<FeedEvent> missed = since == null ? List.of() : view.missed(since);
            if (missed == null) {
                send(out, "event: behind\nid: %s\ndata: {}\n\n".formatted(id(view.from())));
            } else {
                tell(out, missed);
            }
            follow(call, view, out);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    private static void follow(Call call, EventFeed.View view, OutputStream out)
            throws IOException, InterruptedException {
        long told = Ticker.SYSTEM.nanos();
        while (!call.live().feed().isClosed() && call.isStillAdmitted()) {
            List<FeedEvent> news = view.next(CHECKED_EACH);
            if (news == null) {
                send(out, "event: behind\ndata: {}\n\n");
                return;
            }
            if (!news.isEmpty()) {
                tell(out, news);
                told = Ticker.SYSTEM.nanos();
            } else if (Ticker.SYSTEM.nanos() - told > HEARTBEAT.toNanos()) {
                send(out, ": still here\n\n");
                told = Ticker.SYSTEM.nanos();
            }
        }
    }

    private static void tell(OutputStream out, List<FeedEvent> events) throws IOException {
        StringBuilder text = new StringBuilder();
        for (FeedEvent event : events) {
            text.append("event: ")
                    .append(event.kind().text())
                    .append("\nid: ")
                    .append(id(event.position()))
                    .append("\ndata: ")
                    .append(event.json())
                    .append("\n\n");
        }
        if (!events.isEmpty()) {
            send(out, text.toString());
        }
    }

    private static String id(EndPosition position) {
        return position.at() + "-" + position.id();
    }

    private static void send(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
