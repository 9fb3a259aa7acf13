package dev.headgate.sqlite.mutants;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * All classes of Headgate once more, with those of a mutant in place of the healthy ones. Whatever is loaded from here sees
 * only what is loaded from here; other libraries are shared.
 */
final class Culture extends URLClassLoader {
    private static final String OURS = "dev.headgate.";

    private Culture(List<URL> classpath) {
        super(classpath.toArray(URL[]::new), Culture.class.getClassLoader());
    }

    /** @param work an empty directory for the changed files */
    static Culture of(Mutant mutant, Path checkout, Path work) throws IOException {
        Path classes = Files.createDirectories(work.resolve("classes"));
        List<String> sources = new ArrayList<>();
        for (Map.Entry<String, String> changed : mutant.files(checkout).entrySet()) {
            String path = changed.getKey().replaceFirst(".*/src/main/(java|resources)/", "");
            boolean isSource = path.endsWith(".java");
            Path file = (isSource ? work.resolve("sources") : classes).resolve(path);
            Files.createDirectories(Objects.requireNonNull(file.getParent()));
            Files.writeString(file, changed.getValue());
            if (isSource) {
                sources.add(file.toString());
            }
        }
        if (!sources.isEmpty()) {
            compile(mutant, sources, classes);
        }
        List<URL> classpath = new ArrayList<>(List.of(classes.toUri().toURL()));
        for (String entry : classpath().split(File.pathSeparator, -1)) {
            classpath.add(url(Path.of(entry)));
        }
        return new Culture(classpath);
    }

    private static URL url(Path entry) throws MalformedURLException {
        return entry.toUri().toURL();
    }

    private static String classpath() {
        return Objects.requireNonNull(System.getProperty("java.class.path"));
    }

    private static void compile(Mutant mutant, List<String> sources, Path classes) {
        JavaCompiler compiler =
                Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "this Java has no compiler");
        List<String> options =
                new ArrayList<>(List.of("-proc:none", "-nowarn", "-cp", classpath(), "-d", classes.toString()));
        options.addAll(sources);
        int status = compiler.run(null, null, null, options.toArray(String[]::new));
        if (status != 0) {
            throw new AssertionError("mutant %s does not compile; what the compiler said is above".formatted(mutant));
        }
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

    /** Statement files are resources: those of the mutant come first. */
    @Override
    public @Nullable URL getResource(String name) {
        URL own = findResource(name);
        return own == null ? super.getResource(name) : own;
    }
}
