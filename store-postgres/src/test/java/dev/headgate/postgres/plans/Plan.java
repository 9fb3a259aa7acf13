package dev.headgate.postgres.plans;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** How one statement was run. */
record Plan(String sql, JsonNode root) {
    /** Tables that stay small however much work there is. */
    private static final Set<String> SMALL = Set.of(
            "headgate_meta",
            "headgate_worker",
            "headgate_profile",
            "headgate_token",
            "headgate_policy",
            "headgate_policy_version",
            "headgate_pause",
            "headgate_workflow",
            "headgate_schedule",
            "headgate_look");

    /** Rows read and thrown away, by one node of a plan. A turn of a busy worker reads a few hundred for good reason. */
    private static final long THROWN_AWAY_MAX = 500;

    /** Rows or index entries read by one node; batches are of 1,000 at most. */
    private static final long READ_MAX = 2_500;

    /** Pages looked at by one statement: a probe of an index takes four or five. */
    private static final long PAGES_MAX = 6_000;

    static Plan of(JsonNode logged) {
        return new Plan(shape(logged.path("Query Text").asString("").replaceAll("\\$\\d+", "?")), logged.path("Plan"));
    }

    /** The text of a statement as far as it tells one from another. */
    static String shape(String sql) {
        return sql.replaceAll("--[^\n]*", "")
                .replaceAll("(?<!:):[a-z_]+", "?")
                .replaceAll("\\s+", " ")
                .strip();
    }

    /**
     * What is wrong with it, in words; nothing if it reads little more than it gives.
     *
     * @param patience how many times as much as others it may read
     */
    List<String> faults(int patience) {
        List<String> faults = new ArrayList<>();
        judge(root, patience, faults);
        if (pages() > PAGES_MAX * patience) {
            faults.add("looks at %d pages".formatted(pages()));
        }
        return faults;
    }

    /** How many pages it looked at, its own parts included. */
    long pages() {
        return number(root, "Shared Hit Blocks") + number(root, "Shared Read Blocks");
    }

    private static void judge(JsonNode node, int patience, List<String> faults) {
        String table = node.path("Relation Name").asString("");
        String type = node.path("Node Type").asString("");
        String place = node.path("Index Name").asString(table);
        double loops = node.path("Actual Loops").asDouble(0);
        boolean isBig = table.startsWith("headgate_") ? !SMALL.contains(table) : place.startsWith("headgate_");
        if (isBig) {
            if (type.equals("Seq Scan") && loops > 0) {
                faults.add("reads all of " + table);
            }
            long thrown = Math.round(
                    loops * (number(node, "Rows Removed by Filter") + number(node, "Rows Removed by Index Recheck")));
            if (thrown > THROWN_AWAY_MAX * patience) {
                faults.add("%s of %s throws %d rows away".formatted(type, place, thrown));
            }
            long read = Math.round(loops * node.path("Actual Rows").asDouble(0));
            if (read > READ_MAX * patience) {
                faults.add("%s of %s reads %d rows".formatted(type, place, read));
            }
        }
        node.path("Plans").forEach(child -> judge(child, patience, faults));
    }

    private static long number(JsonNode node, String name) {
        return Math.round(node.path(name).asDouble(0));
    }
}
