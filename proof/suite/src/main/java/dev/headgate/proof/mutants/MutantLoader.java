package dev.headgate.proof.mutants;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * All classes of Headgate once more, loaded once for all mutants. Which mutant is planted is decided while the classes run. So the
 * production code has no switch for it, and the classes stay warm.
 */
class MutantLoader extends URLClassLoader {
    private static final String OURS = "dev.headgate.";

    /** @param more folders of classes beside the class path of this process */
    MutantLoader(List<Path> more) {
        super(classpath(more), MutantLoader.class.getClassLoader());
    }

    private static URL[] classpath(List<Path> more) {
        List<Path> entries = new ArrayList<>(more);
        String path = Objects.requireNonNull(System.getProperty("java.class.path"));
        for (String entry : path.split(File.pathSeparator, -1)) {
            entries.add(Path.of(entry));
        }
        return entries.stream().map(Path::toUri).map(MutantLoader::url).toArray(URL[]::new);
    }

    private static URL url(URI uri) {
        try {
            return uri.toURL();
        } catch (MalformedURLException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Whether this class is loaded anew, beside the one of the parent. */
    boolean isOurs(String name) {
        return name.startsWith(OURS);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!isOurs(name)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            return known == null ? findClass(name) : known;
        }
    }
}
