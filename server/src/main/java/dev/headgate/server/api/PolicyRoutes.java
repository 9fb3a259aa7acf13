package dev.headgate.server.api;

import dev.headgate.Policies;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.internal.text.NearestName;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GateKey.Scope;
import dev.headgate.limit.GatePolicy;
import dev.headgate.policy.PolicyChange;
import dev.headgate.policy.PolicyConflictException;
import dev.headgate.policy.PolicyEdit;
import dev.headgate.policy.PolicyEntry;
import dev.headgate.policy.PolicyVersion;
import dev.headgate.policy.StaleVersionException;
import dev.headgate.server.http.JsonDocument;
import dev.headgate.server.http.Problem;
import dev.headgate.server.http.ProblemException;
import dev.headgate.server.http.Response;
import dev.headgate.server.policy.PolicyDiff;
import dev.headgate.server.policy.PolicyYaml;
import dev.headgate.server.route.Call;
import dev.headgate.server.route.Route;
import dev.headgate.server.token.Right;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Stored policies: read them, as a file too, change them for the version that was read, take changes back. */
public final class PolicyRoutes {
    private static final String ONE = "/v1/policies/{kind}/{name}";
    private static final Set<String> EDIT = Set.of("limits", "mode", "for", "until", "reason");
    private static final String REPLACE = "replace";

    private PolicyRoutes() {}

    /** All routes of policies. */
    public static List<Route> all() {
        return List.of(
                Route.shared("listPolicies", "GET", "/v1/policies", Right.READ, PolicyRoutes::list)
                        .taking("limit", "cursor"),
                Route.shared("exportPolicies", "GET", "/v1/policies/file", Right.READ, PolicyRoutes::export),
                Route.shared("applyPolicies", "PUT", "/v1/policies/file", Right.OPERATE, PolicyRoutes::apply)
                        .taking("prune", "reason"),
                Route.shared("diffPolicies", "POST", "/v1/policies/diff", Right.READ, PolicyRoutes::diff),
                Route.shared("listVersions", "GET", "/v1/policies/history", Right.READ, PolicyRoutes::history)
                        .taking("limit", "cursor"),
                Route.shared("undoPolicies", "POST", "/v1/policies/undo", Right.OPERATE, PolicyRoutes::undo),
                Route.shared("getPolicy", "GET", ONE, Right.READ, PolicyRoutes::get),
                Route.shared("putPolicy", "PUT", ONE, Right.OPERATE, PolicyRoutes::put),
                Route.shared("deletePolicy", "DELETE", ONE, Right.OPERATE, call -> remove(call, false))
                        .taking("reason"),
                Route.shared("endOverride", "DELETE", ONE + "/override", Right.OPERATE, call -> remove(call, true))
                        .taking("reason"));
    }

    private static GateKey key(Call call) {
        try {
            return new GateKey(Scope.parse(call.name("kind")), call.name("name"));
        } catch (IllegalArgumentException impossible) {
            throw new ProblemException(Problem.NOT_FOUND, String.valueOf(impossible.getMessage()));
        }
    }

    private static Response list(Call call) {
        Policies policies = call.headgate().policies();
        long version = policies.version();
        SortedMap<GateKey, PolicyEntry> entries = policies.entries();
        Page<GateKey> page = Page.of(call, "policies", List.copyOf(entries.keySet()), GateKey::text);
        return VersionTag.on(
                version,
                Response.json(
                        200,
                        JsonWriter.object()
                                .put("version", version)
                                .put(
                                        "policies",
                                        page.items().stream()
                                                .map(key -> PolicyJson.of(
                                                        key, entries.getOrDefault(key, PolicyEntry.NOTHING)))
                                                .toList())
                                .put("next", page.next())));
    }

    private static Response export(Call call) {
        Policies policies = call.headgate().policies();
        long version = policies.version();
        return VersionTag.on(
                version, Response.text(200, PolicyBody.YAML, PolicyYaml.write(version, policies.entries())));
    }

    private static Response diff(Call call) {
        SortedMap<GateKey, GatePolicy> wanted = PolicyBody.read(call);
        Policies policies = call.headgate().policies();
        long version = policies.version();
        PolicyDiff diff = PolicyDiff.of(policies.all(), wanted, true);
        return VersionTag.on(
                version,
                Response.json(
                        200, JsonWriter.object().put("changes", diff.json()).put("version", version)));
    }

    private static Response apply(Call call) {
        Policies policies = changing(call, call.query().text("reason"));
        SortedMap<GateKey, GatePolicy> wanted = PolicyBody.read(call);
        PolicyDiff diff = PolicyDiff.of(policies.all(), wanted, call.query().flag("prune"));
        boolean hasChanged = !changed(() -> policies.change(diff.edits())).isEmpty();
        long version = policies.version();
        return VersionTag.on(
                version,
                Response.json(
                        200,
                        JsonWriter.object()
                                .put("changes", diff.json())
                                .put("applied", hasChanged)
                                .put("version", version)));
    }

    /** Changes in the name of the token, for the version that the request names. */
    private static Policies changing(Call call, @Nullable String reason) {
        Policies policies =
                call.headgate().policies().by(call.author()).because(Objects.requireNonNullElse(reason, ""));
        Long version = VersionTag.needed(call);
        return version == null ? policies : policies.ifVersion(version);
    }

    private static List<PolicyChange> changed(Supplier<List<PolicyChange>> change) {
        try {
            return Problems.refusing(change);
        } catch (StaleVersionException stale) {
            throw VersionTag.stale(stale);
        } catch (PolicyConflictException taken) {
            throw new ProblemException(Problem.WRONG_STATE, String.valueOf(taken.getMessage()));
        }
    }

    private static Response history(Call call) {
        int limit = Page.limit(call);
        String cursor = call.query().text("cursor");
        List<String> mark = List.of("versions");
        long before = cursor == null ? Long.MAX_VALUE : Long.parseLong(Cursor.read(cursor, mark));
        List<PolicyVersion> versions = call.headgate().policies().history(before, limit);
        boolean isMore = !versions.isEmpty() && versions.getLast().version() > 1 && versions.size() == limit;
        return Response.json(
                200,
                JsonWriter.object()
                        .put(
                                "versions",
                                versions.stream().map(PolicyJson::version).toList())
                        .put(
                                "next",
                                isMore
                                        ? Cursor.of(
                                                String.valueOf(
                                                        versions.getLast().version()),
                                                mark)
                                        : null));
    }

    private static Response undo(Call call) {
        JsonDocument body = call.bodyOrNone(Set.of("to", "reason"));
        Long version = body.numberOrNull("to");
        Policies policies = changing(call, body.textOrNull("reason"));
        List<PolicyChange> changes = changed(() -> version == null ? policies.undo() : policies.undoTo(version));
        long now = policies.version();
        return VersionTag.on(
                now,
                Response.json(
                        200,
                        JsonWriter.object()
                                .put("changes", PolicyJson.changes(changes))
                                .put("version", now)));
    }

    private static Response get(Call call) {
        Policies policies = call.headgate().policies();
        long version = policies.version();
        GateKey key = key(call);
        return answer(version, key, require(key, policies.entries()));
    }

    private static PolicyEntry require(GateKey key, SortedMap<GateKey, PolicyEntry> entries) {
        PolicyEntry entry = entries.get(key);
        if (entry == null) {
            throw new ProblemException(
                    Problem.NOT_FOUND,
                    "%s '%s': no policy is stored under this name%s"
                            .formatted(
                                    key.scope().text(),
                                    key.name(),
                                    NearestName.hint(
                                            key.name(),
                                            entries.keySet().stream()
                                                    .filter(name -> name.scope() == key.scope())
                                                    .map(GateKey::name)
                                                    .toList())));
        }
        return entry;
    }

    private static Response answer(long version, GateKey key, PolicyEntry entry) {
        return VersionTag.on(
                version, Response.json(200, PolicyJson.of(key, entry).put("version", version)));
    }

    private static Response put(Call call) {
        GateKey key = key(call);
        JsonDocument body = call.body(EDIT);
        PolicyEdit edit = edit(body);
        // A declaration and a suggestion change nothing that is stored, whatever version that is.
        boolean isSafe = edit instanceof PolicyEdit.Declare || edit instanceof PolicyEdit.Suggest;
        String reason = body.textOrNull("reason");
        Policies policies = isSafe && VersionTag.isAbsent(call)
                ? call.headgate().policies().by(call.author()).because(Objects.requireNonNullElse(reason, ""))
                : changing(call, reason);
        changed(() -> policies.change(Map.of(key, edit)));
        return answer(policies.version(), key, policies.entries().getOrDefault(key, PolicyEntry.NOTHING));
    }

    private static PolicyEdit edit(JsonDocument body) {
        GatePolicy policy = JsonDocument.read("limits", () -> {
            GatePolicy read = GatePolicy.parse(String.join("; ", body.texts("limits")));
            read.checkMargins();
            return read;
        });
        Duration span = body.spanOrNull("for");
        Instant until = body.instantOrNull("until");
        String mode = Objects.requireNonNullElse(body.textOrNull("mode"), REPLACE);
        if (span != null || until != null) {
            if ((span != null && until != null) || !mode.equals(REPLACE)) {
                throw new ProblemException(
                        Problem.BAD_FIELD, "expected one of 'for', 'until' and another 'mode', got more than one");
            }
            return span != null
                    ? new PolicyEdit.OverrideFor(policy, span)
                    : new PolicyEdit.OverrideUntil(policy, Objects.requireNonNull(until, "one of them"));
        }
        if (policy.isOpen()) {
            throw new ProblemException(
                    Problem.BAD_FIELD,
                    "field 'limits': expected at least one; to lift all limits, delete the policy, or send none with 'for' or 'until'");
        }
        return switch (mode) {
            case REPLACE -> new PolicyEdit.Replace(policy);
            case "declare" -> new PolicyEdit.Declare(policy);
            case "suggest" -> new PolicyEdit.Suggest(policy);
            default ->
                throw new ProblemException(
                        Problem.BAD_FIELD,
                        "field 'mode': expected replace, declare or suggest, got '%s'".formatted(mode));
        };
    }

    private static Response remove(Call call, boolean isOverrideOnly) {
        GateKey key = key(call);
        Policies policies = changing(call, call.query().text("reason"));
        PolicyEntry stored = require(key, policies.entries());
        if (isOverrideOnly && stored.override() == null) {
            throw new ProblemException(Problem.NOT_FOUND, "%s: it has no override".formatted(key));
        }
        changed(() ->
                policies.change(Map.of(key, isOverrideOnly ? new PolicyEdit.EndOverride() : new PolicyEdit.Remove())));
        long version = policies.version();
        return VersionTag.on(
                version,
                Response.json(200, PolicyJson.left(key, policies.entries()).put("version", version)));
    }
}
