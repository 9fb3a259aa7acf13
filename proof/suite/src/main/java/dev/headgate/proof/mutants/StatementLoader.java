package dev.headgate.proof.mutants;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A statement that a class of this loader reads from its file is that of the mutant which is planted at the time. */
final class StatementLoader extends MutantLoader {
    private static final String FOLDER = "/statement/";
    private static final String ENDING = ".sql";

    private final Set<String> read = ConcurrentHashMap.newKeySet();
    private volatile @Nullable SqlMutant planted;

    StatementLoader() {
        super(List.of());
    }

    /** What is opened from now on has this statement; absent means that all are as they are written. */
    void plant(@Nullable SqlMutant mutant) {
        planted = mutant;
    }

    /** The statements that were read since this was asked last. */
    Set<String> taken() {
        Set<String> names = new TreeSet<>(read);
        read.clear();
        return names;
    }

    @Override
    public @Nullable InputStream getResourceAsStream(String path) {
        int folder = path.lastIndexOf(FOLDER);
        if (folder >= 0 && path.endsWith(ENDING)) {
            String name = path.substring(folder + FOLDER.length(), path.length() - ENDING.length());
            read.add(name);
            SqlMutant mutant = planted;
            if (mutant != null && mutant.statement().equals(name)) {
                return new ByteArrayInputStream(mutant.text().getBytes(StandardCharsets.UTF_8));
            }
        }
        return super.getResourceAsStream(path);
    }
}
