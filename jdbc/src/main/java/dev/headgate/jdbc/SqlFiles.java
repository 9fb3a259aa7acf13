package dev.headgate.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The statement files of one database, read once from its module's resources. */
public final class SqlFiles {
    private final Resources resources;
    private final UnaryOperator<String> rewriting;
    private final KnownMigrations migrations;
    private final Map<String, SqlText> statements = new ConcurrentHashMap<>();

    /** Opens what stands beside a class of the store: its module keeps its files to itself. */
    public interface Resources {
        @Nullable
        InputStream open(String path);
    }

    /** @param resources opens what is in the folders {@code statement}, {@code session} and {@code migration} */
    public SqlFiles(Resources resources) {
        this(resources, UnaryOperator.identity());
    }

    /** @param rewriting what is done to the text of a statement before it is used */
    public SqlFiles(Resources resources, UnaryOperator<String> rewriting) {
        this(resources, rewriting, KnownMigrations.PRESENT);
    }

    private SqlFiles(Resources resources, UnaryOperator<String> rewriting, KnownMigrations migrations) {
        this.resources = resources;
        this.rewriting = rewriting;
        this.migrations = migrations;
    }

    /** The same with one more migration, as a program of the next version has them: for tests. */
    public SqlFiles withMigration(String next) {
        return new SqlFiles(resources, rewriting, migrations.and(next));
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
        try (InputStream in = resources.open(path)) {
            if (in == null) {
                throw new IllegalStateException("expected SQL file %s beside the classes of the store".formatted(path));
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
