package dev.headgate.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.server.Contract.Operation;
import dev.headgate.server.route.Route;
import dev.headgate.server.token.Right;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The contract and the routes say the same. */
class ContractTest {
    private final Contract contract = ServerRig.CONTRACT;

    @Test
    void eachRouteIsInTheContractAndNothingElse() {
        Map<String, String> promised = new TreeMap<>();
        contract.operations()
                .forEach((id, operation) -> promised.put(id, "%s %s".formatted(operation.method(), operation.path())));
        Map<String, String> served = new TreeMap<>();
        Site.routes().forEach(route -> served.put(route.id(), "%s %s".formatted(route.method(), route.path())));
        assertThat(served).isEqualTo(promised);
    }

    @Test
    void eachRouteNeedsTheRightThatTheContractNames() {
        for (Route route : Site.routes()) {
            JsonNode operation = operation(route).node();
            Right right = route.right();
            if (right == null) {
                assertThat(operation.get("security")).as(route.id()).isEmpty();
                assertThat(operation.has("x-headgate-right")).as(route.id()).isFalse();
            } else {
                assertThat(operation.has("security")).as(route.id()).isFalse();
                assertThat(operation.get("x-headgate-right").asString())
                        .as(route.id())
                        .isEqualTo(right.text());
            }
        }
    }

    @Test
    void eachParameterOfAQueryIsInTheContractAndNothingElse() {
        for (Route route : Site.routes()) {
            assertThat(new TreeSet<>(route.query())).as(route.id()).isEqualTo(parameters(route, "query"));
        }
    }

    @Test
    void eachHeaderThatARouteHeedsIsInTheContractAndNothingElse() {
        for (Route route : Site.routes()) {
            assertThat(new TreeSet<>(route.headers())).as(route.id()).isEqualTo(parameters(route, "header"));
        }
    }

    private Set<String> parameters(Route route, String in) {
        TreeSet<String> promised = new TreeSet<>();
        JsonNode parameters = operation(route).node().get("parameters");
        if (parameters != null) {
            parameters.forEach(each -> {
                JsonNode parameter = contract.resolved(each);
                if (parameter.get("in").asString().equals(in)) {
                    promised.add(parameter.get("name").asString());
                }
            });
        }
        return promised;
    }

    @Test
    void everySchemaIsUsedAndDefined() {
        String text = contract.root().toString();
        contract.root()
                .get("components")
                .get("schemas")
                .propertyNames()
                .forEach(name -> assertThat(text).as("used").contains("\"#/components/schemas/%s\"".formatted(name)));
    }

    private Operation operation(Route route) {
        return contract.operations().get(route.id());
    }
}
