package dev.headgate.server;

import static dev.headgate.server.ServerRig.json;
import static dev.headgate.server.ServerRig.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.server.RawHttp.Answer;
import dev.headgate.server.token.Right;
import dev.headgate.server.token.TokenRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What a store holds, over HTTP. */
class StatusOverHttpTest {
    @TempDir
    Path folder;

    private ServerRig rig;

    @BeforeEach
    void start() {
        rig = new ServerRig(folder);
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    private static List<String> names(JsonNode list, String field) {
        List<String> names = new ArrayList<>();
        list.forEach(item -> names.add(item.get(field).asString()));
        return names;
    }

    private List<String> pages(String path, String list, String field) throws IOException {
        List<String> all = new ArrayList<>();
        String cursor = "";
        do {
            JsonNode page = json(rig.get("%s?limit=2%s".formatted(path, cursor)));
            assertThat(page.get(list).size()).isLessThanOrEqualTo(2);
            all.addAll(names(page.get(list), field));
            cursor = page.get("next").isNull()
                    ? ""
                    : "&cursor=" + page.get("next").asString();
        } while (!cursor.isEmpty());
        return all;
    }

    @Test
    void gatesAreListedPageByPageThoseWithJobsAndThoseWithAPolicyOnly() throws IOException {
        TreeSet<String> expected = new TreeSet<>();
        for (String name : List.of("b", "d d", "f/", "h\u00fc", "j")) {
            rig.headgate.policies().gate(name, gate -> gate.limits("concurrency 1"));
            expected.add(name);
        }
        for (String name : List.of("a", "c", "e", "g")) {
            rig.headgate.controls().hold(dev.headgate.limit.GateKey.gate(name), java.time.Duration.ofHours(1), "test");
            expected.add(name);
        }
        rig.headgate.policies().gate("z:*", gate -> gate.limits("concurrency 1"));
        rig.headgate.policies().queue("mail", queue -> queue.limits("concurrency 1"));
        rig.headgate.limiter(dev.headgate.limit.GateKey.queue("mail")).tryAcquire();
        assertThat(pages("/v1/gates", "gates", "name")).containsExactlyElementsOf(expected);
        assertThat(json(rig.get("/v1/gates/z:*")).get("pattern").asString()).isEqualTo("z:*");
        assertThat(problem(rig.get("/v1/gates?cursor=abc"))).isEqualTo("bad-cursor");
        String cursor = json(rig.get("/v1/gates?limit=1")).get("next").asString();
        assertThat(problem(rig.get("/v1/queues?cursor=" + cursor))).isEqualTo("bad-cursor");
    }

    @Test
    void queuesAreListedWithTheirJobsPageByPage() throws IOException {
        for (String queue : List.of("a", "b c", "d", "e", "f")) {
            rig.headgate.enqueueJson("send", "{}", job -> job.queue(queue));
        }
        assertThat(pages("/v1/queues", "queues", "name")).containsExactly("a", "b c", "d", "e", "f", "headgate:serve");
        JsonNode queue = json(rig.get("/v1/queues/b%20c"));
        assertThat(queue.get("jobs").get("queued").asInt()).isEqualTo(1);
        assertThat(queue.get("gate").isNull()).isTrue();
        assertThat(json(rig.get("/v1/queues/b%20c?exact=true"))
                        .get("jobs")
                        .get("queued")
                        .asInt())
                .isEqualTo(1);
        assertThat(problem(rig.get("/v1/queues?exact=perhaps"))).isEqualTo("bad-query");
        assertThat(problem(rig.get("/v1/queues?limit=0"))).isEqualTo("bad-query");
    }

    @Test
    void aTokenForSomeQueuesSeesThoseAndNoOther() throws IOException {
        rig.headgate.enqueueJson("send", "{}", job -> job.queue("site:a"));
        rig.headgate.enqueueJson("send", "{}", job -> job.queue("mail"));
        String token = rig.token(TokenRequest.named("site").right(Right.READ).queue("site:*"));
        for (String path : new String[] {"/v1/queues", "/v1/backlog", "/v1/waits"}) {
            Answer answer = rig.send("GET", path, token, "", Map.of());
            assertThat(answer.body()).as(path).contains("site:a").doesNotContain("mail");
        }
        assertThat(problem(rig.send("GET", "/v1/backlog?queue=mail", token, "", Map.of())))
                .isEqualTo("outside-scope");
        Answer near = rig.send("GET", "/v1/queues/site:b", token, "", Map.of());
        assertThat(near.body()).contains("site:a").doesNotContain("mail");
        assertThat(problem(rig.send("GET", "/v1/status", token, "", Map.of()))).isEqualTo("outside-scope");
    }

    @Test
    void theBacklogCountsWhatCouldStart() throws IOException {
        rig.headgate.policies().gate("one", gate -> gate.limits("concurrency 1"));
        for (int i = 0; i < 3; i++) {
            rig.headgate.enqueueJson("send", "{}", job -> job.queue("mail").gate("one"));
            rig.headgate.enqueueJson("send", "{}", job -> job.queue("web"));
        }
        JsonNode all = json(rig.get("/v1/backlog"));
        assertThat(all.get("admissible").asInt()).isEqualTo(4);
        assertThat(all.get("queues")).hasSize(2);
        JsonNode both = json(rig.get("/v1/backlog?queue=mail&queue=w*&max=2"));
        assertThat(names(both.get("queues"), "name")).containsExactly("mail", "web");
        assertThat(both.get("isMore").asBoolean()).isTrue();
        assertThat(problem(rig.get("/v1/backlog?queue=a*b"))).isEqualTo("bad-query");
        assertThat(problem(rig.get("/v1/backlog?max=0"))).isEqualTo("bad-query");
    }

    @Test
    void everythingInBriefHasTheShapeOfTheCommand() throws IOException {
        rig.headgate.enqueueJson("send", "{}", job -> job.queue("mail"));
        JsonNode status = json(rig.get("/v1/status?exact=true"));
        assertThat(names(status.get("queues"), "name")).containsExactly("mail");
        assertThat(status.get("workers").get(0).get("name").asString()).isEqualTo("serve");
        JsonNode totals = json(rig.get("/v1/totals"));
        assertThat(names(totals.get("oldest"), "queue")).containsExactly("mail");
        assertThat(names(json(rig.get("/v1/workers")).get("workers"), "name")).containsExactly("serve");
        assertThat(problem(rig.get("/v1/workers/nobody"))).isEqualTo("not-found");
    }

    @Test
    void typesAreListedWithWhatPoliciesRequireOfThem() throws IOException {
        rig.headgate.policies().gate("provider", gate -> gate.limits("concurrency 1"));
        rig.headgate.policies().gate("site:*", gate -> gate.limits("concurrency 1"));
        rig.headgate.policies().type("ask", type -> type.requires("provider"));
        rig.headgate.policies().type("crawl:*", type -> type.requires("site:*"));
        assertThat(pages("/v1/types", "types", "type")).containsExactly("ask", "crawl:*");
        assertThat(names(json(rig.get("/v1/types")).get("types"), "type")).hasSize(2);
        assertThat(json(rig.get("/v1/types/ask")).get("requires").get(0).asString())
                .isEqualTo("provider");
        assertThat(json(rig.get("/v1/types/asc")).get("detail").asString()).contains("did you mean 'ask'?");
    }
}
