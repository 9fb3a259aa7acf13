package dev.headgate.proof.mutants;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The classes of Headgate with mutants woven into some of them. The {@link Switch} they ask is that of this process. */
final class WovenLoader extends MutantLoader {
    private final Map<String, byte[]> woven = new HashMap<>();

    /**
     * @param classes the folder of the classes that may be woven
     * @param isChosen which of them are, by name
     */
    WovenLoader(Path classes, List<Path> tests, Weaver weaver, Predicate<String> isChosen) {
        super(tests);
        try (Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(path -> path.toString().endsWith(".class"))
                    .sorted()
                    .toList()) {
                String name = classes.relativize(file).toString().replace(".class", "");
                name = name.replace('/', '.').replace('\\', '.');
                if (isChosen.test(name)) {
                    woven.put(name, weaver.weave(Files.readAllBytes(file)));
                }
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @Override
    boolean isOurs(String name) {
        return super.isOurs(name) && !name.equals(Switch.class.getName());
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] bytes = woven.get(name);
        return bytes == null ? super.findClass(name) : defineClass(name, bytes, 0, bytes.length);
    }
}
