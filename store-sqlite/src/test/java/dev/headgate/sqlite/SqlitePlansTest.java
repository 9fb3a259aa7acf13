package dev.headgate.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * No statement walks through a table that grows, whether SQLite knows nothing of the tables (it is never told to look) or
 * {@code analyze} was run when they were large.
 */
class SqlitePlansTest {
    /** Tables that stay small however much work there is. */
    private static final Set<String> SMALL = Set.of(
            "headgate_meta",
            "headgate_worker",
            "headgate_profile",
            "headgate_policy",
            "headgate_policy_version",
            "headgate_pause",
            "headgate_workflow",
            "headgate_schedule",
            "headgate_look",
            "headgate_token");

    /** What may walk, and why. */
    private static final Map<String, String> MAY_WALK = Map.ofEntries(
            Map.entry("backlog_lanes", "a cap was set for the first time: every job must be marked"),
            Map.entry("mark_backlog", "the same"),
            Map.entry("last_job", "one row for each table with numbers"),
            Map.entry("count_jobs", "so many of the newest"),
            Map.entry("count_ended", "the same"),
            Map.entry("count_queued", "lanes, and it ends when it has enough of each queue"),
            Map.entry("list_queues", "lanes, and so many of the oldest jobs"),
            Map.entry("count_in_line", "lanes of one queue, and it ends when it has enough"),
            Map.entry("count_kept", "so many of each"),
            Map.entry("oldest_jobs", "so many of the oldest"),
            Map.entry("count_lines", "a listing"),
            Map.entry("journal_gates", "a listing, for evidence only"),
            Map.entry("list_jobs", "newest first, within bounds"),
            Map.entry("list_ended", "the same"),
            Map.entry("floor_of_jobs", "the same"),
            Map.entry("floor_of_ended", "the same"),
            Map.entry("list_runs", "the same"),
            Map.entry("age_of_request_key", "so many of the newest, in the order of an index, a few times a day"),
            Map.entry("holdings", "a recount proves all, so it reads all"),
            Map.entry("lane_orders", "a policy became fair or stopped being so"),
            Map.entry("standing_lanes", "the same"),
            Map.entry("prune_workflows", "asked of older versions of a workflow only, a few times a day"),
            Map.entry("next_due_within", "the first thousand in the order of time"),
            Map.entry("lock_worker", "the first entry of an index that holds open edges only"));

    private static final Pattern WALK = Pattern.compile("SCAN (\\w+).*|SEARCH (\\w+) USING AUTOMATIC .*");
    private static final Pattern NAMED = Pattern.compile("(headgate_\\w+) (?:as )?(\\w+)");

    @TempDir
    private Path folder;

    private String url = "";

    @BeforeEach
    void makeTables() {
        url = "jdbc:sqlite:" + folder.resolve("jobs.db");
        SqliteBackend.open(url).close();
    }

    @Test
    void noStatementWalksATableThatGrows() throws Exception {
        assertThat(walks()).isEmpty();
    }

    /**
     * Figures of {@code analyze}: how many rows, and how many of them agree in the first column of an index, the second and so on.
     * Either some agree in each, or none do, as where each run has one part.
     */
    @ParameterizedTest
    @ValueSource(strings = {"1000000 10000 100", "1000000 1 1"})
    void norDoesOneOnceTheTablesWereAnalysedWhileTheyWereLarge(String figures) throws Exception {
        String[] parts = figures.split(" ", -1);
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("analyze");
            statement.execute("delete from sqlite_stat1");
            for (List<String> index : indexes(statement)) {
                statement.execute("insert into sqlite_stat1 (tbl, idx, stat) values ('%s', '%s', '%s')"
                        .formatted(
                                index.get(0),
                                index.get(1),
                                parts[0] + " " + parts[1] + (" " + parts[2]).repeat(columns(index.get(2)))));
            }
        }
        assertThat(walks()).isEmpty();
    }

    /** All frames but the root agree in their root and their parent. */
    @Test
    void norDoesOneAfterOneHugeRun() throws Exception {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("analyze");
            statement.execute("delete from sqlite_stat1");
            statement.execute("insert into sqlite_stat1 (tbl, idx, stat) values"
                    + " ('headgate_frame', 'headgate_frame_by_root', '100000 100000 1'),"
                    + " ('headgate_frame', 'headgate_frame_by_parent', '100000 100000 100000 1'),"
                    + " ('headgate_frame', 'headgate_frame_roots', '1 1'),"
                    + " ('headgate_event', 'headgate_event', '300000 3 1')");
        }
        assertThat(walks()).isEmpty();
    }

    @Test
    void aMissingIndexIsFound() throws Exception {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("drop index headgate_job_for_claim");
        }
        assertThat(walks()).containsKey("plain_heads").containsKey("heads");
    }

    private static List<List<String>> indexes(Statement statement) throws SQLException {
        List<List<String>> found = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(
                "select tbl_name, name, coalesce(sql, '(key)') from sqlite_master where type = 'index'")) {
            while (rows.next()) {
                found.add(List.of(rows.getString(1), rows.getString(2), rows.getString(3)));
            }
        }
        return found;
    }

    /** All but the first column of an index. */
    private static int columns(String sql) {
        return sql.substring(sql.indexOf('('), sql.indexOf(')')).split(",", -1).length - 1;
    }

    private Map<String, List<String>> walks() throws Exception {
        Map<String, List<String>> walks = new TreeMap<>();
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            for (Path file : statements()) {
                String name = file.getFileName().toString().replace(".sql", "");
                if (!MAY_WALK.containsKey(name)) {
                    for (String part : Files.readString(file).split("(?m)^-- then$", -1)) {
                        walks(statement, part)
                                .forEach(walk -> walks.computeIfAbsent(name, key -> new ArrayList<>())
                                        .add(walk));
                    }
                }
            }
        }
        return walks;
    }

    private static List<Path> statements() throws IOException, URISyntaxException {
        Path one = Path.of(Objects.requireNonNull(SqliteBackend.class.getResource("statement/ring.sql"))
                .toURI());
        try (Stream<Path> files = Files.list(Objects.requireNonNull(one.getParent()))) {
            return files.sorted().toList();
        }
    }

    private static List<String> walks(Statement statement, String sql) throws SQLException {
        Map<String, String> tables = new HashMap<>();
        Matcher named = NAMED.matcher(sql);
        while (named.find()) {
            tables.put(named.group(2), named.group(1));
        }
        List<String> walks = new ArrayList<>();
        try (ResultSet plan = statement.executeQuery("explain query plan " + sql)) {
            while (plan.next()) {
                String step = plan.getString("detail");
                Matcher walk = WALK.matcher(step);
                if (walk.matches()) {
                    String what = walk.group(1) == null ? walk.group(2) : walk.group(1);
                    String table = tables.getOrDefault(what, what);
                    if (table.startsWith("headgate_") && !SMALL.contains(table)) {
                        walks.add(step);
                    }
                }
            }
        }
        return walks;
    }
}
