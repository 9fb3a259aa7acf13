package dev.headgate.testkit.sqlmutants;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * All classes of Headgate once more, loaded once for all mutants. A statement that one of them reads from its file is that of the
 * mutant which is planted at the time. So the production code has no switch for it, and the classes stay warm.
 */
final class MutantLoader extends URLClassLoader {
    private static final String OURS = "dev.headgate.";
    private static final String FOLDER = "/statement/";
    private static final String ENDING = ".sql";

    private final Set<String> read = ConcurrentHashMap.newKeySet();
    private volatile @Nullable SqlMutant planted;

    private MutantLoader(URL[] classpath) {
        super(classpath, MutantLoader.class.getClassLoader());
    }

    static MutantLoader create() {
        List<URL> classpath = new ArrayList<>();
        String path = Objects.requireNonNull(System.getProperty("java.class.path"));
        for (String entry : path.split(File.pathSeparator, -1)) {
            URI uri = Path.of(entry).toUri();
            try {
                classpath.add(uri.toURL());
            } catch (MalformedURLException impossible) {
                throw new IllegalStateException(impossible);
            }
        }
        return new MutantLoader(classpath.toArray(URL[]::new));
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
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(OURS)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            return known == null ? findClass(name) : known;
        }
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
