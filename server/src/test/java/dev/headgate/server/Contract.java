package dev.headgate.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.headgate.server.api.ServerRoutes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The contract as the server serves it, and whether what came back is what it promises. */
final class Contract {
    static final JsonMapper JSON = JsonMapper.builder().build();

    private final ObjectNode root;
    private final SchemaRegistry registry = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
    private final Map<String, Schema> schemas = new LinkedHashMap<>();

    /** One operation of the contract. */
    record Operation(String method, String path, JsonNode node) {}

    Contract() {
        Object read = new Load(LoadSettings.builder().build()).loadFromString(ServerRoutes.contractText());
        this.root = JSON.valueToTree(read);
    }

    ObjectNode root() {
        return root;
    }

    /** All operations by their ids. */
    Map<String, Operation> operations() {
        Map<String, Operation> found = new TreeMap<>();
        root.get("paths")
                .forEachEntry((path, item) -> item.forEachEntry((method, node) -> {
                    if (!method.equals("parameters")) {
                        Operation before = found.put(
                                node.get("operationId").asString(),
                                new Operation(method.toUpperCase(java.util.Locale.ROOT), path, node));
                        assertThat(before)
                                .as("operationId of %s %s", method, path)
                                .isNull();
                    }
                }));
        return found;
    }

    /** What comes back for an operation with this status, in this media type. */
    void check(String operation, int status, String mediaType, String body) {
        JsonNode responses = operations().get(operation).node().get("responses");
        JsonNode response = responses.get(String.valueOf(status));
        JsonNode promised = resolved(response == null ? responses.get("default") : response);
        assertThat(promised)
                .as("response %d of %s in the contract", status, operation)
                .isNotNull();
        JsonNode content = promised.get("content").get(essence(mediaType));
        assertThat(content)
                .as("media type %s of response %d of %s in the contract", mediaType, status, operation)
                .isNotNull();
        String key = operation + " " + status;
        switch (essence(mediaType)) {
            case "application/json", "application/problem+json" -> check(key, content.get("schema"), body);
            case "application/x-ndjson" -> body.lines().forEach(line -> check(key, content.get("schema"), line));
            default -> assertThat(body).isNotEmpty();
        }
    }

    /** A problem that came before any operation was found. */
    void checkProblem(String body) {
        check("problem", JSON.readTree("{\"$ref\":\"#/components/schemas/Problem\"}"), body);
    }

    private void check(String key, JsonNode schema, String body) {
        Schema compiled = schemas.computeIfAbsent(key, name -> {
            ObjectNode document = JSON.createObjectNode();
            document.set("allOf", JSON.createArrayNode().add(schema));
            document.set("components", root.get("components"));
            return registry.getSchema(document);
        });
        List<String> faults = new ArrayList<>();
        compiled.validate(JSON.readTree(body)).forEach(error -> faults.add(error.toString()));
        assertThat(faults).as("%s: %s", key, body).isEmpty();
    }

    /** What a reference leads to, or the node itself. */
    JsonNode resolved(JsonNode node) {
        if (node == null || !node.has("$ref")) {
            return node;
        }
        JsonNode found = root;
        for (String part : node.get("$ref").asString().substring(2).split("/", -1)) {
            found = found.get(part);
        }
        return found;
    }

    private static String essence(String mediaType) {
        int semicolon = mediaType.indexOf(';');
        return semicolon < 0 ? mediaType : mediaType.substring(0, semicolon);
    }
}
