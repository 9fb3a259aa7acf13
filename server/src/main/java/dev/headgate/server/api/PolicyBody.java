package dev.headgate.server.api;

import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.server.http.BodyReader;
import dev.headgate.server.http.JsonDocument;
import dev.headgate.server.http.Problem;
import dev.headgate.server.http.ProblemException;
import dev.headgate.server.http.Response;
import dev.headgate.server.policy.PolicyFile;
import dev.headgate.server.route.Call;
import java.util.SortedMap;

/** A policy file in a request: YAML as the command line takes it, or the same as JSON. */
final class PolicyBody {
    static final String YAML = "application/yaml";

    private PolicyBody() {}

    static SortedMap<GateKey, GatePolicy> read(Call call) {
        String kind = BodyReader.expectOneOf(call.request(), YAML, Response.JSON);
        String text = BodyReader.text(call.request(), PolicyFile.BYTES_MAX);
        return kind.equals(YAML) ? parse("body", text) : ofJson("body", text);
    }

    /** JSON is YAML, but for letters that are written as two escapes. */
    static SortedMap<GateKey, GatePolicy> ofJson(String name, String json) {
        return parse(name, JsonDocument.unescaped(json));
    }

    static SortedMap<GateKey, GatePolicy> parse(String name, String text) {
        try {
            return PolicyFile.parse(name, text);
        } catch (IllegalArgumentException wrong) {
            throw new ProblemException(Problem.BAD_FIELD, String.valueOf(wrong.getMessage()));
        }
    }
}
