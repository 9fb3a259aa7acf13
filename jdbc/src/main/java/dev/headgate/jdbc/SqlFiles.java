package dev.headgate.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The statement files of one database, read once from its module's resources. */
public final class SqlFiles {
    private final Class<?> owner;
    private final Map<String, SqlText> statements = new ConcurrentHashMap<>();

    /** @param owner a class beside the folders {@code statement}, {@code session} and {@code migration} */
    public SqlFiles(Class<?> owner) {
        this.owner = owner;
    }

    SqlText statement(String name) {
        return statements.computeIfAbsent(name, key -> SqlText.parse(key, read("statement/" + key + ".sql")));
    }

    /** A file as it is. */
    public String read(String path) {
        try (InputStream in = owner.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException("%s: expected SQL file %s beside it".formatted(owner.getName(), path));
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
