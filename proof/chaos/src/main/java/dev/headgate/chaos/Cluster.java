package dev.headgate.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A primary and a standby that has every acknowledged commit: the primary answers a commit only when the standby has it on
 * disk too. After a failover the new primary goes on alone until its own standby has caught up.
 *
 * <p>The copy for a standby is made by hand, because the embedded binaries have no {@code pg_basebackup}: by the same
 * functions of the server that it uses. Not thread-safe, except {@link #hasStandby}.
 */
final class Cluster implements AutoCloseable {
    /** Directories whose contents belong to a running server only. */
    private static final Set<String> EMPTIED = Set.of(
            "pg_wal",
            "pg_replslot",
            "pg_stat_tmp",
            "pg_dynshmem",
            "pg_notify",
            "pg_subtrans",
            "pg_serial",
            "pg_snapshots");

    private static final Set<String> LEFT_OUT =
            Set.of("postmaster.pid", "postmaster.opts", "backup_label", "standby.signal", "postgresql.auto.conf");

    private final Path folder;
    private Server primary;
    private volatile @Nullable Server standby;
    private int copies;

    Cluster(Path folder) {
        this.folder = folder;
        this.primary = Server.fresh(folder.resolve("server-0"));
    }

    Server primary() {
        return primary;
    }

    boolean hasStandby() {
        return standby != null;
    }

    /** Builds a standby beside the running primary, and makes commits wait for it from then on. */
    void addStandby() throws SQLException {
        Server copy = Server.over(folder.resolve("server-" + ++copies));
        try (Connection connection = primary.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("select pg_backup_start('standby', true)");
            copy(primary.data(), copy.data());
            try (ResultSet rows = statement.executeQuery("select labelfile from pg_backup_stop(false)")) {
                rows.next();
                copy.append("backup_label", rows.getString(1).lines().toList());
            }
        }
        copy.append(
                "postgresql.auto.conf",
                List.of("primary_conninfo = 'host=127.0.0.1 port=%d user=postgres'".formatted(primary.port())));
        copy.append("standby.signal", List.of());
        copy.start();
        primary.await("select count(*) from pg_stat_replication where state = 'streaming'", "1");
        primary.tell("alter system set synchronous_standby_names = '*'");
        primary.tell("select pg_reload_conf()");
        primary.await("select count(*) from pg_stat_replication where sync_state = 'sync'", "1");
        String written = primary.ask("select pg_current_wal_flush_lsn()");
        primary.await("select flush_lsn >= '%s' from pg_stat_replication".formatted(written), "t");
        standby = copy;
    }

    /** The primary crashes and comes back; the standby stays one. */
    void restart() throws InterruptedException {
        primary.crash();
        primary.start();
    }

    /** The primary crashes and stays away; the standby takes over, without one of its own. */
    void failOver() throws InterruptedException, SQLException {
        Server heir = standby;
        if (heir == null) {
            throw new IllegalStateException("failover: expected a standby that has caught up, there is none");
        }
        standby = null;
        primary.crash();
        delete(primary.data());
        heir.tell("select pg_promote(true, 60)");
        heir.await("select pg_is_in_recovery()", "f");
        primary = heir;
    }

    private static void copy(Path from, Path to) {
        try {
            Files.walkFileTree(from, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                        throws IOException {
                    Path relative = from.relativize(directory);
                    Files.createDirectories(to.resolve(relative));
                    return relative.getNameCount() == 2
                                    && EMPTIED.contains(relative.getName(0).toString())
                            ? keepEmpty(relative)
                            : FileVisitResult.CONTINUE;
                }

                private FileVisitResult keepEmpty(Path relative) {
                    // pg_wal/archive_status and pg_wal/summaries must be there, empty.
                    return relative.startsWith("pg_wal") ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Path relative = from.relativize(file);
                    if (!EMPTIED.contains(relative.getName(0).toString()) && !LEFT_OUT.contains(relative.toString())) {
                        Files.copy(file, to.resolve(relative));
                    }
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException failed) throws IOException {
                    if (failed instanceof NoSuchFileException) {
                        return FileVisitResult.CONTINUE; // a running server deletes files; its log tells the standby so
                    }
                    throw failed;
                }
            });
            // A server refuses to start in a directory that others may read.
            Shell.run("chmod", "700", to.toString());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static void delete(Path directory) {
        Shell.run("rm", "-rf", directory.toString());
    }

    @Override
    public void close() throws InterruptedException {
        Server second = standby;
        if (second != null) {
            second.close();
        }
        primary.close();
    }
}
