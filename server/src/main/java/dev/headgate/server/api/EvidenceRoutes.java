package dev.headgate.server.api;

import dev.headgate.Headgate;
import dev.headgate.evidence.ChainProof;
import dev.headgate.evidence.Verification;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.limit.GateKey;
import dev.headgate.server.api.CertificateJson.Content;
import dev.headgate.server.http.JsonDocument;
import dev.headgate.server.http.Problem;
import dev.headgate.server.http.ProblemException;
import dev.headgate.server.http.Response;
import dev.headgate.server.route.Call;
import dev.headgate.server.route.Route;
import dev.headgate.server.token.Right;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Evidence from the journals of gates that their limits were kept. */
public final class EvidenceRoutes {
    private EvidenceRoutes() {}

    public static List<Route> all() {
        return List.of(Route.shared("verifyHistory", "POST", "/v1/verify-history", Right.READ, EvidenceRoutes::verify));
    }

    private static Response verify(Call call) {
        JsonDocument body = call.bodyOrNone(Set.of("gates", "queues", "from", "to", "since"));
        Instant from = body.instantOrNull("from");
        Instant to = body.instantOrNull("to");
        if (from != null && to != null && !from.isBefore(to)) {
            throw new ProblemException(
                    Problem.BAD_FIELD,
                    "field 'from': expected an instant before 'to', got %s and %s".formatted(from, to));
        }
        Content before = since(body);
        Map<GateKey, ChainProof.End> ends = before == null ? Map.of() : before.ends();
        List<GateKey> named = named(body, before);
        Headgate headgate = call.headgate();
        Instant now = call.now();
        TreeSet<GateKey> gates =
                new TreeSet<>(named.isEmpty() ? headgate.evidence().gates() : named);
        if (named.isEmpty()) {
            gates.addAll(ends.keySet());
        }
        List<Verification> verifications = headgate.evidence().verify(gates, from, to, ends);
        boolean isGood =
                !verifications.isEmpty() && verifications.stream().allMatch(each -> EvidenceJson.isGood(each, ends));
        List<JsonWriter> answers =
                verifications.stream().map(each -> EvidenceJson.of(each, ends)).toList();
        JsonWriter certificate = CertificateJson.of(JsonWriter.object()
                .put("at", now)
                .put("from", from)
                .put("to", to)
                .put("since", before == null ? null : before.at())
                .put("gates", answers));
        List<GateKey> unproven = named.isEmpty() ? EvidenceJson.withoutJournal(headgate) : List.of();
        return Response.json(
                200,
                JsonWriter.object()
                        .put("good", isGood)
                        .put("certificate", isGood ? certificate : null)
                        .put("gates", answers)
                        .put(
                                "notCertified",
                                unproven.stream().map(GateKey::toString).toList()));
    }

    private static @Nullable Content since(JsonDocument body) {
        return body.has("since")
                ? CertificateJson.read(body.raw("since", "null"))
                        .orElseThrow(
                                () -> new ProblemException(
                                        Problem.BAD_FIELD,
                                        "field 'since': expected a certificate as this route or 'verify-history --certificate' made it, got something else"))
                : null;
    }

    private static List<GateKey> named(JsonDocument body, @Nullable Content before) {
        List<GateKey> named = new ArrayList<>();
        body.texts("queues").forEach(name -> named.add(JsonDocument.read("queues", () -> GateKey.queue(name))));
        body.texts("gates").forEach(name -> named.add(JsonDocument.read("gates", () -> GateKey.gate(name))));
        for (GateKey key : named) {
            if (before != null && !before.ends().containsKey(key)) {
                throw new ProblemException(
                        Problem.BAD_FIELD, "field 'since': the certificate says nothing of %s".formatted(key));
            }
        }
        return named;
    }
}
