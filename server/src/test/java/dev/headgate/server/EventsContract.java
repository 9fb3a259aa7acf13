package dev.headgate.server;

import static dev.headgate.server.ServerRig.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.job.JobId;
import dev.headgate.limit.Limit;
import dev.headgate.run.RunId;
import dev.headgate.server.EventStream.Event;
import dev.headgate.server.token.Right;
import dev.headgate.server.token.TokenRequest;
import dev.headgate.workflow.Workflow;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Events as viewers see them over sockets. */
abstract class EventsContract {
    private String url = "";
    private ServerRig rig;

    abstract String freshStore();

    @BeforeEach
    void start() {
        url = freshStore();
        rig = new ServerRig(url, "");
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    private EventStream view(String query) throws IOException {
        return new EventStream(rig, query, rig.admin, "");
    }

    private JobId job(String queue, String type) {
        return rig.headgate.enqueueJson(type, "{}", job -> job.queue(queue)).id();
    }

    private List<Long> ended(int count, String queue, String type) {
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            JobId id = job(queue, type);
            rig.headgate.cancel(id);
            ids.add(id.value());
        }
        return ids;
    }

    private static List<Long> ids(List<Event> events) {
        return events.stream().map(event -> event.data().get("id").asLong()).toList();
    }

    @Test
    void everyEndIsToldOnceAndInOrderAlsoBehindACut() throws IOException {
        List<Long> jobs;
        String cutAt;
        try (EventStream stream = view("?queue=mail")) {
            jobs = ended(5, "mail", "send");
            ended(2, "other", "send");
            List<Event> told = stream.take("job", 3);
            assertThat(ids(told)).isEqualTo(jobs.subList(0, 3));
            assertThat(told.getFirst().data())
                    .hasToString("{\"id\":%d,\"type\":\"send\",\"queue\":\"mail\",\"state\":\"cancelled\"}"
                            .formatted(jobs.getFirst()));
            cutAt = told.getLast().id();
        }
        jobs.addAll(ended(3, "mail", "send"));
        try (ServerRig other = new ServerRig(url, "");
                EventStream stream = new EventStream(other, "?queue=mail", rig.admin, cutAt)) {
            jobs.addAll(ended(2, "mail", "send"));
            assertThat(ids(stream.take("job", 7))).isEqualTo(jobs.subList(3, 10));
        }
    }

    @Test
    void filtersNarrowItToAQueueATypeAJobOrARun() throws IOException {
        JobId one = job("mail", "send");
        job("mail", "send");
        Workflow<Integer, Integer> waiting = Workflow.named("waiting", 1, Integer.class)
                .then("only", (number, step) -> number)
                .build();
        RunId run = rig.headgate.workflows().register(waiting).start(waiting, 1).id();
        try (EventStream ofType = view("?queue=mail&type=send");
                EventStream ofJob = view("?job=" + one);
                EventStream ofRun = view("?run=" + run)) {
            ended(1, "mail", "other");
            ended(1, "slow", "send");
            List<Long> mine = ended(1, "mail", "send");
            assertThat(ids(ofType.take("job", 1))).isEqualTo(mine);
            rig.headgate.reschedule(one, rig.headgate.overview().at().plus(Duration.ofDays(1)));
            Event scheduled = ofJob.await(event -> isIn("scheduled", event));
            assertThat(scheduled.data().get("id").asLong()).isEqualTo(one.value());
            rig.headgate.cancel(one);
            assertThat(isIn("cancelled", ofJob.next())).isTrue();
            rig.headgate.workflows().pause(run, "lunch");
            Event paused = ofRun.await(event -> isIn("paused", event));
            assertThat(paused.kind()).isEqualTo("run");
            assertThat(paused.data().get("id").asLong()).isEqualTo(run.value());
        }
    }

    private static boolean isIn(String state, Event event) {
        return event.data().get("state").asString().equals(state);
    }

    @Test
    void whatADashboardShowsIsToldWhenItChanges() throws IOException {
        try (EventStream stream = view("")) {
            rig.headgate.policies().gate("api", gate -> gate.limit(Limit.concurrency(3)));
            stream.await(event -> event.kind().equals("policies"));
            job("mail", "send");
            Event queue = stream.await(event -> event.kind().equals("queue")
                    && event.data().get("queue").asString().equals("mail"));
            assertThat(queue.data().at("/jobs/queued").asInt()).isEqualTo(1);
            rig.headgate
                    .enqueueJson("send", "{}", job -> job.queue("mail").gate("api"))
                    .id();
            rig.headgate.controls().hold("api", Duration.ofHours(1), "lunch");
            Event gate = stream.await(event ->
                    event.kind().equals("gate") && !event.data().get("shut").isNull());
            assertThat(gate.data().get("name").asString()).isEqualTo("api");
        }
    }

    @Test
    void aTokenWithAScopeViewsOnlyWhatItCovers() throws IOException {
        JobId other = job("other", "send");
        String token = rig.token(TokenRequest.named("mail").right(Right.READ).queue("mail"));
        for (String query : List.of("", "?queue=other", "?job=" + other, "?run=1", "?type=send")) {
            assertThat(problem(rig.send("GET", "/v1/events" + query, token, "", Map.of())))
                    .as(query)
                    .isIn("outside-scope", "not-found");
        }
        try (EventStream stream = new EventStream(rig, "?queue=mail", token, "")) {
            ended(1, "other", "send");
            rig.headgate.policies().gate("api", gate -> gate.limit(Limit.concurrency(3)));
            List<Long> mine = ended(1, "mail", "send");
            Event ended = stream.await(event -> {
                assertThat(event.data().get("queue").asString()).isEqualTo("mail");
                return event.kind().equals("job");
            });
            assertThat(ended.data().get("id").asLong()).isEqualTo(mine.getFirst());
        }
    }

    @Test
    void aStreamEndsWithItsTokenAndWithItsServer() throws IOException {
        var made = rig.tokens.create(TokenRequest.named("brief").right(Right.READ));
        try (EventStream revoked = new EventStream(rig, "", made.secret(), "");
                EventStream stopped = view("")) {
            rig.tokens.revoke(made.token().id());
            assertThat(revoked.isEnded()).isTrue();
            rig.server.close();
            assertThat(stopped.isEnded()).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({"?job=0", "?job=abc", "?run=-1", "?job=1&run=1", "?job=1&queue=a", "?colour=red"})
    void aWrongFilterIsAProblem(String query) throws IOException {
        assertThat(problem(rig.get("/v1/events" + query))).isEqualTo("bad-query");
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "1", "1-x", "-"})
    void aWrongPositionIsAProblem(String id) throws IOException {
        assertThat(problem(rig.send("GET", "/v1/events", rig.admin, "", Map.of("Last-Event-ID", id))))
                .isEqualTo("bad-header");
        assertThat(problem(rig.get("/v1/events?job=4711"))).isEqualTo("not-found");
    }
}
