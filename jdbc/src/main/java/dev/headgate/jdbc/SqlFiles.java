package dev.headgate.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/** The statement files of one database, read once from its module's resources. */
public final class SqlFiles {
    private final Class<?> owner;
    private final UnaryOperator<String> rewriting;
    private final KnownMigrations migrations;
    private final Map<String, SqlText> statements = new ConcurrentHashMap<>();

    /** @param owner a class beside the folders {@code statement}, {@code session} and {@code migration} */
    public SqlFiles(Class<?> owner) {
        this(owner, UnaryOperator.identity());
    }

    /** @param rewriting what is done to the text of a statement before it is used */
    public SqlFiles(Class<?> owner, UnaryOperator<String> rewriting) {
        this(owner, rewriting, KnownMigrations.PRESENT);
    }

    private SqlFiles(Class<?> owner, UnaryOperator<String> rewriting, KnownMigrations migrations) {
        this.owner = owner;
        this.rewriting = rewriting;
        this.migrations = migrations;
    }

    /** The same with one more migration, as a program of the next version has them: for tests. */
    public SqlFiles withMigration(String next) {
        return new SqlFiles(owner, rewriting, migrations.and(next));
    }

    /** The migrations among these files. */
    public KnownMigrations migrations() {
        return migrations;
    }

    SqlText statement(String name) {
        return statements.computeIfAbsent(name, key -> SqlText.parse(key, rewriting.apply(readStatement(key))));
    }

    /** A statement as it is written down. */
    public String readStatement(String name) {
        return read("statement/" + name + ".sql");
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
