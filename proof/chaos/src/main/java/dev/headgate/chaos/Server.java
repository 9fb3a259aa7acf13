package dev.headgate.chaos;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One PostgreSQL server in a directory of its own, as a child of this process. */
final class Server implements AutoCloseable {
    static final String DATABASE = "postgres";
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final List<String> SETTINGS = List.of(
            "listen_addresses = '127.0.0.1'",
            "unix_socket_directories = ''",
            "max_connections = 80",
            "shared_buffers = '64MB'",
            "wal_level = replica",
            "max_wal_senders = 8",
            "wal_keep_size = '512MB'",
            "hot_standby = on",
            "synchronous_commit = on",
            "wal_retrieve_retry_interval = '100ms'",
            "log_line_prefix = '%m [%p] '");

    private static @Nullable Path binaries;

    private final Path data;
    private final int port;
    private @Nullable Process process;

    private Server(Path data, int port) {
        this.data = data;
        this.port = port;
    }

    /** A new, empty server; started. */
    static Server fresh(Path data) {
        Server server = new Server(data, freePort());
        Shell.Answer made =
                server.run("initdb", "-D", data.toString(), "-U", "postgres", "-A", "trust", "-E", "UTF8", "-N");
        if (!made.isGood()) {
            throw new IllegalStateException("initdb: " + made.said());
        }
        server.append("postgresql.conf", SETTINGS);
        server.start();
        return server;
    }

    /** A server over files that were copied from another one. */
    static Server over(Path data) {
        return new Server(data, freePort());
    }

    Path data() {
        return data;
    }

    int port() {
        return port;
    }

    void append(String file, List<String> lines) {
        try {
            Path path = data.resolve(file);
            List<String> all = Files.exists(path) ? new ArrayList<>(Files.readAllLines(path)) : new ArrayList<>();
            all.addAll(lines);
            Files.write(path, all);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Starts it; it answers when this returns. */
    void start() {
        try {
            Path log = data.resolveSibling(data.getFileName() + ".log");
            Process started = new ProcessBuilder(
                            command("postgres", "-D", data.toString(), "-p", Integer.toString(port)))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            process = started;
            Runtime.getRuntime().addShutdownHook(new Thread(started::destroyForcibly));
            long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (!isAnswering()) {
                if (!started.isAlive() || until - System.nanoTime() < 0) {
                    throw new IllegalStateException("PostgreSQL did not start; see " + log);
                }
                LockSupport.parkNanos(LOOK_NANOS);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private boolean isAnswering() {
        try {
            ask("select 1");
            return true;
        } catch (SQLException notYet) {
            return false;
        }
    }

    /** Ends it at once, as a crash would: no checkpoint, every connection dropped, the log replayed at the next start. */
    void crash() throws InterruptedException {
        Process running = process;
        if (running != null && running.isAlive()) {
            Shell.run("kill", "-QUIT", Long.toString(running.pid()));
            if (!running.waitFor(20, TimeUnit.SECONDS)) {
                running.destroyForcibly().waitFor();
            }
        }
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(url(port, DATABASE));
    }

    /** The first column of the first row as text; empty if there is none. */
    String ask(String sql) throws SQLException {
        try (Connection connection = connect()) {
            return ask(connection, sql);
        }
    }

    static String ask(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() ? String.valueOf(rows.getString(1)) : "";
        }
    }

    void tell(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Waits until a query answers this. */
    void await(String sql, String answer) throws SQLException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!ask(sql).equals(answer)) {
            if (until - System.nanoTime() < 0) {
                throw new IllegalStateException("expected %s of %s within a minute".formatted(answer, sql));
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /** Without encryption, so that the proxy can read along. */
    static String url(int port, String database) {
        return "jdbc:postgresql://127.0.0.1:%d/%s?user=postgres&sslmode=disable&gssEncMode=disable"
                .formatted(port, database);
    }

    private Shell.Answer run(String... command) {
        return Shell.run(command(command).toArray(String[]::new));
    }

    private static List<String> command(String... command) {
        List<String> all = new ArrayList<>();
        if ("root".equals(System.getProperty("user.name"))) {
            all.addAll(List.of("unshare", "-U")); // PostgreSQL does not run as root
        }
        all.add(binaries().resolve(command[0]).toString());
        all.addAll(List.of(command).subList(1, command.length));
        return all;
    }

    /** The embedded server's binaries: they are unpacked when one is started, and it knows where. */
    private static synchronized Path binaries() {
        if (binaries == null) {
            try (EmbeddedPostgres embedded = EmbeddedPostgres.start();
                    Connection connection = embedded.getPostgresDatabase().getConnection()) {
                binaries = Path.of(ask(connection, "select setting from pg_config where name = 'BINDIR'"));
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            } catch (SQLException failed) {
                throw new IllegalStateException("embedded PostgreSQL", failed);
            }
        }
        return binaries;
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public void close() throws InterruptedException {
        crash();
    }
}
