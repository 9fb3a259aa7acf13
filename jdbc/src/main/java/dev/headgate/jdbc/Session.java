package dev.headgate.jdbc;

import dev.headgate.spi.Pending;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Runs statement files on one connection. Not thread-safe, like its connection.
 *
 * <p>Design note: trips. Where the database is a round trip away, what a turn waits for is mostly the way there and back.
 * So a write whose answer is not needed, and a question whose answer has not been read yet, wait for the next statement that
 * must be answered, or for the commit, and travel with it. The database runs them one after the other, as if each had come
 * alone.
 */
public final class Session implements AutoCloseable {
    private static final Map<List<SqlText>, String> JOINED = new ConcurrentHashMap<>();
    private static final int JOINED_MAX = 2_000;
    private static final SqlText COMMIT = SqlText.fixed("commit", "commit");

    private final Connection connection;
    private final Dialect dialect;
    private final LongAdder counter;
    private final @Nullable Map<SqlText.Part, PreparedStatement> prepared;
    private final List<Errand> opening = new ArrayList<>();
    private final List<Errand> waiting = new ArrayList<>();
    private final List<Errand> following = new ArrayList<>();
    private @Nullable Errand guard;
    private long trips;

    /** A statement with its values, and what takes the answer of each of its parts. */
    private record Errand(SqlText text, Map<String, @Nullable Object> values, Answer answer) {}

    /** Takes what one part of a statement answers: its rows, or how many it changed. */
    interface Answer {
        Answer IGNORED = (rows, count) -> {};

        void take(@Nullable ResultSet rows, int count) throws SQLException;
    }

    /**
     * @param isKeeping keep prepared statements open for the next use; for drivers that do not cache them, on a
     *     connection of our own
     */
    public Session(Connection connection, Dialect dialect, LongAdder counter, boolean isKeeping) {
        this.connection = connection;
        this.dialect = dialect;
        this.counter = counter;
        this.prepared = isKeeping ? new HashMap<>() : null;
    }

    public Connection connection() {
        return connection;
    }

    /** Whether the database is a trip away, and others write while this transaction is open. */
    boolean isRemote() {
        return dialect.isRemote();
    }

    KnownMigrations migrations() {
        return dialect.files().migrations();
    }

    /** Whether each statement reads what is committed by then. */
    boolean isReadingLatest() {
        try {
            return connection.getTransactionIsolation() == Connection.TRANSACTION_READ_COMMITTED;
        } catch (SQLException failed) {
            throw new SqlFailedException("isolation", failed);
        }
    }

    /** Starts a call of one statement file. */
    public Call call(String statement) {
        return new Call(this, dialect.files().statement(statement));
    }

    /** Starts a call of one statement file for many rows. */
    Batch batch(String statement) {
        return new Batch(this, dialect.files().statement(statement), dialect);
    }

    /** Runs all parts of a statement; the rows of the first part that has any are the answer. */
    <T> List<T> query(SqlText text, Map<String, @Nullable Object> values, Row.Mapper<T> mapper) {
        List<T> found = new ArrayList<>();
        run(new Errand(text, values, collect(found, mapper)));
        return found;
    }

    private static <T> Answer collect(List<T> found, Row.Mapper<T> mapper) {
        return (rows, count) -> {
            if (rows != null) {
                Row row = new Row(rows);
                while (rows.next()) {
                    found.add(mapper.map(row.rewind()));
                }
            }
        };
    }

    /** The same with the next statement that must be answered, or when these rows are read. */
    <T> Pending<List<T>> queryLater(SqlText text, Map<String, @Nullable Object> values, Row.Mapper<T> mapper) {
        if (!dialect.isRemote()) {
            return Pending.of(query(text, values, mapper));
        }
        List<T> found = new ArrayList<>();
        Answer into = collect(found, mapper);
        boolean[] isAnswered = {false};
        waiting.add(new Errand(text, values, (rows, count) -> {
            isAnswered[0] = true;
            into.take(rows, count);
        }));
        return Pending.from(() -> {
            if (!isAnswered[0]) {
                flush();
            }
            return found;
        });
    }

    /** Runs all parts of a statement; answers the count of the first. */
    int update(SqlText text, Map<String, @Nullable Object> values) {
        int[] first = {-1};
        run(new Errand(text, values, (rows, count) -> first[0] = first[0] < 0 ? count : first[0]));
        return first[0];
    }

    /** Runs a statement whose answer is not needed: with the next one that asks something. */
    void later(SqlText text, Map<String, @Nullable Object> values) {
        Errand errand = new Errand(text, values, Answer.IGNORED);
        if (dialect.isRemote()) {
            waiting.add(errand);
        } else {
            run(errand);
        }
    }

    /** The same for SQL without parameters that stands in no statement file. */
    public void later(String name, String sql) {
        later(SqlText.fixed(name, sql), Map.of());
    }

    /** The same with parameters, each a text. */
    public void later(String name, String sql, Map<String, String> values) {
        later(SqlText.fixed(name, sql), Map.copyOf(values));
    }

    /** Runs this before everything else in the transaction, together with its first statement. */
    public void open(String name, String sql) {
        open(name, sql, Map.of());
    }

    /** The same with parameters, each a text. */
    public void open(String name, String sql, Map<String, String> values) {
        opening.add(new Errand(SqlText.fixed(name, sql), Map.copyOf(values), Answer.IGNORED));
    }

    /**
     * Lets the first trip find out whether this program may still use the tables. A transaction that is over with one trip does not
     * ask: it appends, and what it appends was checked against policies that were read within two seconds, together with the
     * version of the tables.
     */
    public void guard() {
        guard = new Errand(dialect.files().statement("policy_version"), Map.of(), (rows, count) -> {
            if (rows != null && rows.next()) {
                JdbcPolicies.version(this, new Row(rows));
            }
        });
    }

    /** Sends that alone. */
    public void flushOpening() {
        if (!opening.isEmpty()) {
            run(opening.removeLast());
        }
    }

    /** Runs this right behind the next statement that asks something. */
    void follow(SqlText text, Answer answer) {
        following.add(new Errand(text, Map.of(), answer));
    }

    /** How often the database has been asked; the same number twice means that nothing happened between. */
    long trips() {
        return trips;
    }

    /**
     * Sends what still waits and commits, on a connection that does not do so by itself. A statement that is all there is to the
     * transaction, as an enqueue mostly is, needs none around it: that is two messages less to be read, run and answered. Where
     * a transaction must set something for itself, there has to be one.
     */
    public void commit() throws SQLException {
        guard = null;
        boolean isAlone = trips == 0 && opening.isEmpty() && waiting.size() == 1 && following.isEmpty();
        if (isAlone && waiting.getFirst().text().parts().size() == 1) {
            connection.setAutoCommit(true); // whatever takes the connection next begins a transaction if it needs one
            flush();
        } else {
            run(new Errand(COMMIT, Map.of(), Answer.IGNORED));
        }
    }

    /** Sends what still waits. */
    public void flush() {
        if (!waiting.isEmpty()) {
            run(waiting.removeLast());
        }
    }

    private void run(Errand errand) {
        trips++;
        if (!dialect.isRemote()) {
            errand.text().parts().forEach(part -> run(errand, part));
            return;
        }
        List<Errand> trip = new ArrayList<>(opening);
        if (guard != null) {
            addGuard(trip, guard, errand);
            guard = null;
        }
        trip.addAll(waiting);
        trip.add(errand);
        trip.addAll(following);
        opening.clear();
        waiting.clear();
        following.clear();
        run(trip);
    }

    /** What reads the policies asks the same. */
    private void addGuard(List<Errand> trip, Errand asking, Errand errand) {
        String name = asking.text().name();
        boolean isAsked = errand.text().name().equals(name)
                || waiting.stream().anyMatch(other -> other.text().name().equals(name));
        if (!isAsked) {
            trip.add(asking);
        }
    }

    private void run(Errand errand, SqlText.Part part) {
        counter.increment();
        try {
            PreparedStatement statement = prepare(part);
            try {
                bind(statement, 0, errand.text(), part, errand.values());
                take(statement, statement.execute(), errand.answer());
            } finally {
                if (prepared == null) {
                    statement.close();
                }
            }
        } catch (SQLException failed) {
            throw new SqlFailedException(errand.text().name(), failed);
        }
    }

    /** All in one trip: the driver sends them together and reads their answers in order. */
    private void run(List<Errand> trip) {
        counter.add(trip.size());
        try (PreparedStatement statement = connection.prepareStatement(joined(trip))) {
            int index = 0;
            for (Errand errand : trip) {
                for (SqlText.Part part : errand.text().parts()) {
                    index = bind(statement, index, errand.text(), part, errand.values());
                }
            }
            boolean isRows = statement.execute();
            for (Errand errand : trip) {
                for (int i = 0; i < errand.text().parts().size(); i++) {
                    take(statement, isRows, errand.answer());
                    isRows = statement.getMoreResults();
                }
            }
        } catch (SQLException failed) {
            String names = trip.stream().map(errand -> errand.text().name()).collect(Collectors.joining(", "));
            throw new SqlFailedException(names, failed);
        }
    }

    /** The same statements travel together turn after turn: their text is made once, and the driver finds it by its hash. */
    private static String joined(List<Errand> trip) {
        List<SqlText> texts = new ArrayList<>(trip.size());
        for (Errand errand : trip) {
            texts.add(errand.text());
        }
        String known = JOINED.get(texts);
        if (known == null) {
            if (JOINED.size() >= JOINED_MAX) {
                JOINED.clear();
            }
            known = texts.stream()
                    .flatMap(text -> text.parts().stream())
                    .map(SqlText.Part::sql)
                    .collect(Collectors.joining(";\n"));
            JOINED.put(texts, known);
        }
        return known;
    }

    private static void take(PreparedStatement statement, boolean isRows, Answer answer) throws SQLException {
        if (!isRows) {
            answer.take(null, statement.getUpdateCount());
            return;
        }
        try (ResultSet rows = statement.getResultSet()) {
            answer.take(rows, 0);
        }
    }

    private PreparedStatement prepare(SqlText.Part part) throws SQLException {
        if (prepared == null) {
            return connection.prepareStatement(part.sql());
        }
        PreparedStatement kept = prepared.get(part);
        if (kept == null) {
            kept = connection.prepareStatement(part.sql());
            prepared.put(part, kept);
        }
        return kept;
    }

    private int bind(
            PreparedStatement statement,
            int before,
            SqlText text,
            SqlText.Part part,
            Map<String, @Nullable Object> values)
            throws SQLException {
        int index = before;
        for (String name : part.parameters()) {
            Object value = values.get(name);
            if (value == null && !values.containsKey(name)) {
                throw new IllegalStateException("%s.sql: parameter :%s was not set".formatted(text.name(), name));
            }
            bind(statement, ++index, value);
        }
        return index;
    }

    private void bind(PreparedStatement statement, int index, @Nullable Object value) throws SQLException {
        switch (value) {
            case null -> statement.setNull(index, Types.NULL);
            case Long number -> statement.setLong(index, number);
            case String string -> statement.setString(index, string);
            case Listed listed -> dialect.bindList(statement, index, listed.values(), listed.isText());
            default -> throw new IllegalStateException("parameter of " + value.getClass());
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException failed) {
            throw new SqlFailedException("close", failed);
        }
    }
}
