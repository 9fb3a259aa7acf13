package dev.headgate.sqlite;

import dev.headgate.store.StoreRefusedException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/** The file behind a SQLite URL, checked before SQLite touches it. */
record SqliteFile(@Nullable Path path) {
    static final String SCHEME = "jdbc:sqlite:";

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
                    "SQLite store %s: expected to be able to create it: %s".formatted(path, failed), failed);
        }
    }

    private static void create(Path path) throws IOException {
        if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
            Files.createFile(path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        } else {
            Files.createFile(path);
        }
    }

    /** Looks without opening: closing the file again would drop the locks of whoever has it open in this process. */
    private static void checkUsable(Path path) {
        if (!Files.isRegularFile(path)) {
            throw new StoreRefusedException("SQLite store %s: expected a file, found something else".formatted(path));
        }
        if (!Files.isWritable(path)) {
            throw new StoreRefusedException(
                    "SQLite store %s: expected a writable file, found a read-only one; check its permissions"
                            .formatted(path));
        }
    }
}
