package dev.headgate.cli.process;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A PgBouncer in transaction mode in front of the {@link TestServer}, started once for all tests of this module. */
public final class Pooler {
    private static final @Nullable Path PROGRAM = Stream.of("/usr/sbin/pgbouncer", "/usr/bin/pgbouncer")
            .map(Path::of)
            .filter(Files::isExecutable)
            .findFirst()
            .orElse(null);
    private static @Nullable Pooler running;

    private final int port;

    private Pooler(Path program) throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        // PgBouncer refuses to run as root, and another user could not read the folder of a test.
        Path config = Files.createTempFile("pgbouncer", ".ini");
        config.toFile().deleteOnExit();
        Files.setPosixFilePermissions(config, PosixFilePermissions.fromString("rw-r--r--"));
        Files.writeString(config, """
                [databases]
                * = host=127.0.0.1 port=%1$d user=postgres
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %2$d
                unix_socket_dir =
                auth_type = any
                pool_mode = transaction
                default_pool_size = 4
                max_client_conn = 400
                """.formatted(TestServer.port(), port));
        boolean isRoot = "root".equals(System.getProperty("user.name"));
        List<String> command = isRoot
                ? List.of(program.toString(), "-u", "nobody", config.toString())
                : List.of(program.toString(), config.toString());
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.PIPE)
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        BufferedReader said = process.inputReader();
        String line = said.readLine();
        while (line != null && !line.contains("process up")) {
            line = said.readLine();
        }
        if (line == null) {
            throw new IOException("pgbouncer did not start: exit code " + process.exitValue());
        }
        Thread.ofPlatform().daemon().start(() -> said.lines().forEach(rest -> {}));
    }

    /** Skips the test where there is no PgBouncer. */
    public static void require() {
        assumeTrue(PROGRAM != null, "skipped: PgBouncer is not installed");
    }

    private static synchronized Pooler running() {
        Pooler found = running;
        if (found == null) {
            require();
            try {
                found = new Pooler(PROGRAM);
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
            running = found;
        }
        return found;
    }

    /** The same database through the pooler. */
    public static String url(String direct) {
        String database = direct.replaceFirst("\\?.*", "").replaceFirst(".*/", "");
        return "jdbc:postgresql://127.0.0.1:%d/%s?user=postgres".formatted(running().port, database);
    }
}
