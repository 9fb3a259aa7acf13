package dev.headgate.sqlite;

import dev.headgate.store.StoreRefusedException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The file behind a SQLite URL, checked before SQLite touches it. */
record SqliteFile(@Nullable Path path) {
    static final String SCHEME = "jdbc:sqlite:";

    private static final Logger log = LoggerFactory.getLogger(SqliteFile.class);
    private static final int STICKY = 01000;

    static SqliteFile of(String url) {
        String name = url.startsWith(SCHEME) ? url.substring(SCHEME.length()) : url;
        if (name.equals(":memory:")) {
            return new SqliteFile(null);
        }
        if (name.isBlank() || name.indexOf('?') >= 0) {
            throw new StoreRefusedException(
                    "SQLite store: expected jdbc:sqlite: and a file name without options, got '%s'".formatted(url));
        }
        return new SqliteFile(Path.of(name).toAbsolutePath());
    }

    String url() {
        return SCHEME + (path == null ? ":memory:" : path);
    }

    /** Creates the file readable by its owner only, or checks that an existing one can be used. */
    void prepare() {
        if (path == null) {
            return;
        }
        Path folder = path.getParent();
        if (folder != null && !Files.isDirectory(folder)) {
            throw new StoreRefusedException(
                    "SQLite store %s: expected folder %s to exist; create it first".formatted(path, folder));
        }
        try {
            create(path);
        } catch (FileAlreadyExistsException exists) {
            checkUsable(path);
        } catch (IOException failed) {
            throw new StoreRefusedException(
                    "SQLite store %s: expected to be able to create it: %s".formatted(path, why(failed)), failed);
        }
        exposures().forEach(log::warn);
    }

    /** What kept it from being created, without names of Java classes if the system says why. */
    static String why(IOException failed) {
        if (failed instanceof AccessDeniedException) {
            return "this user may not create files in its folder";
        }
        if (failed instanceof FileSystemException fault) {
            // Java gives no reason if the system says that there is no such file, as it does in /proc.
            return fault.getReason() == null ? "its folder takes no new files" : fault.getReason();
        }
        return failed.toString();
    }

    private static void create(Path path) throws IOException {
        if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
            Files.createFile(path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        } else {
            Files.createFile(path);
        }
    }

    /**
     * How strangers could decide what workers run: by writing to the file, or by putting another in its place. That may be
     * meant, in a container with one user for instance, so it is told and not refused.
     */
    List<String> exposures() {
        List<String> exposures = new ArrayList<>();
        if (path != null && isOpenToAll(path)) {
            exposures.add(
                    "SQLite store %s: every user of this machine may write to it; chmod o-w it unless that is meant"
                            .formatted(path));
        }
        Path folder = path == null ? null : path.getParent();
        if (folder != null && isOpenToAll(folder) && !isSticky(folder)) {
            exposures.add(
                    "SQLite store %s: every user of this machine may replace it, for its folder is open to all; chmod o-w %s unless that is meant"
                            .formatted(path, folder));
        }
        return exposures;
    }

    private static boolean isOpenToAll(Path path) {
        try {
            return Files.getPosixFilePermissions(path).contains(PosixFilePermission.OTHERS_WRITE);
        } catch (IOException | UnsupportedOperationException unknown) {
            return false;
        }
    }

    /** In a folder such as /tmp all users may write, but none may replace the files of others. */
    private static boolean isSticky(Path folder) {
        try {
            return ((Integer) Files.getAttribute(folder, "unix:mode") & STICKY) != 0;
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException unknown) {
            return false;
        }
    }

    /** Checks that there is a file that can be read. */
    void checkReadable() {
        if (path == null) {
            return;
        }
        if (!Files.exists(path)) {
            throw new StoreRefusedException(
                    "SQLite store %s: expected a file, found none; nothing was created".formatted(path));
        }
        checkFile(path);
        if (!Files.isReadable(path)) {
            throw new StoreRefusedException(
                    "SQLite store %s: expected a file that this user may read; check its permissions".formatted(path));
        }
    }

    private static void checkFile(Path path) {
        if (!Files.isRegularFile(path)) {
            throw new StoreRefusedException("SQLite store %s: expected a file, found something else".formatted(path));
        }
    }

    /** Looks without opening: closing the file again would drop the locks of other connections of this process. */
    private static void checkUsable(Path path) {
        checkFile(path);
        if (!Files.isWritable(path)) {
            throw new StoreRefusedException(
                    "SQLite store %s: expected a writable file, found a read-only one; check its permissions"
                            .formatted(path));
        }
    }
}
