package dev.headgate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The files of a checkout, and what is untidy about them. Every answer is a list of faults, empty when all is well. */
final class SourceTree {
    private static final int LINES_MAX = 450;
    private static final Set<String> OUTPUT = Set.of("target", ".build", ".git", ".idea", ".vscode", ".settings");
    private static final Set<String> TEXT =
            Set.of("java", "sql", "xml", "md", "sh", "yml", "yaml", "properties", "json");
    private static final Set<String> SCRIPTS = Set.of("check", "headgate", "find-jdk", "run");

    // Spelled in pieces, or this file would be its own first fault.
    private static final Pattern MARK = Pattern.compile("\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b");
    /** In comments only. A person who decides or writes may be a "who". */
    private static final Pattern PERSON = Pattern.compile(
            "^\\s*(\\*|//|/\\*\\*|--).*\\b(whoever|whosever|some" + "body|no" + "body|he|him|his|himself)\\b",
            Pattern.CASE_INSENSITIVE);

    private static final Pattern SLEEP = Pattern.compile("\\b(Thread|TimeUnit\\.[A-Z]+)\\.sleep\\(");
    private static final Pattern MACHINE_PATH = Pattern.compile("(?<![\\w.~-])/(work|root)/");

    private final Path root;
    private final List<Path> files;

    private SourceTree(Path root, List<Path> files) {
        this.root = root;
        this.files = files;
    }

    /** The checkout that the tests run in: the nearest directory upwards that holds Maven's settings. */
    static SourceTree ofThisCheckout() {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(directory.resolve(".mvn"))) {
            directory = directory.getParent();
            if (directory == null) {
                throw new IllegalStateException(
                        "expected to run inside a checkout, got " + Path.of("").toAbsolutePath());
            }
        }
        return at(directory);
    }

    static SourceTree at(Path root) {
        List<Path> files = new ArrayList<>();
        try {
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                    boolean isOutput = OUTPUT.contains(directory.getFileName().toString());
                    return isOutput ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    files.add(root.relativize(file));
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        files.sort(null);
        return new SourceTree(root, files);
    }

    /** A frozen store is data, and one statement a line. A migration is never changed, so it is never split. */
    List<String> longFiles() {
        return with("java", "sql")
                .filter(file -> !file.toString().contains("/migration/"))
                .filter(file -> !file.toString().contains("/test/resources/")
                        || !file.toString().contains("/frozen/"))
                .filter(file -> lines(file).size() > LINES_MAX)
                .map(file -> "%s: expected at most %d lines, got %d; split it by idea"
                        .formatted(file, LINES_MAX, lines(file).size()))
                .toList();
    }

    List<String> unfinishedMarks() {
        return matches(file -> isText(file) && !isIn(file, "md"), MARK, "do it, or open an issue");
    }

    List<String> machinePaths() {
        return matches(this::isText, MACHINE_PATH, "paths of one machine mean nothing on another");
    }

    List<String> sleepsInTests() {
        return matches(
                file -> isIn(file, "java")
                        && (slashed(file).contains("src/test/")
                                || file.startsWith("testkit")
                                || file.startsWith("proof/suite")),
                SLEEP,
                "wait for an event or move virtual time");
    }

    List<String> thingsAsPersons() {
        return matches(
                file -> isIn(file, "java") || isIn(file, "sql"),
                PERSON,
                "a thing is not a person: say which thing it is");
    }

    List<String> packagesWithoutWords() {
        return with("java")
                .filter(file -> slashed(file).contains("/src/main/java/"))
                .filter(file -> !file.endsWith("module-info.java"))
                .map(Path::getParent)
                .distinct()
                .filter(directory -> !files.contains(directory.resolve("package-info.java")))
                .map(directory -> "%s: expected a package-info.java that says what the package is".formatted(directory))
                .toList();
    }

    List<String> otherRanks() {
        return with("sql")
                .filter(file -> slashed(file).contains("/src/main/resources/")
                        && slashed(file).contains("/statement/")
                        && !RankStatements.isTrue(String.join("\n", lines(file))))
                .map(file -> "%s: expected the rank of a job as JobSpec.Order and JobRow.takesNewPlace say it"
                        .formatted(file))
                .toList();
    }

    List<String> unpairedStatements() {
        Set<String> sqlite = statements("store-sqlite/src/main/resources/dev/headgate/sqlite/statement");
        Set<String> postgres = statements("store-postgres/src/main/resources/dev/headgate/postgres/statement");
        Stream<String> missing = sqlite.stream()
                .filter(name -> !postgres.contains(name))
                .map(name -> "%s: SQLite has it, PostgreSQL does not".formatted(name));
        return Stream.concat(
                        missing,
                        postgres.stream()
                                .filter(name -> !sqlite.contains(name))
                                .map(name -> "%s: PostgreSQL has it, SQLite does not".formatted(name)))
                .toList();
    }

    private Set<String> statements(String directory) {
        Set<String> names = new TreeSet<>();
        with("sql")
                .filter(file -> slashed(file.getParent()).equals(directory))
                .forEach(file -> names.add(file.getFileName().toString()));
        return names;
    }

    private List<String> matches(Predicate<Path> where, Pattern pattern, String advice) {
        List<String> faults = new ArrayList<>();
        files.stream().filter(where).forEach(file -> {
            List<String> lines = lines(file);
            for (int i = 0; i < lines.size(); i++) {
                if (pattern.matcher(lines.get(i)).find()) {
                    faults.add(
                            "%s:%d: %s; %s".formatted(file, i + 1, lines.get(i).strip(), advice));
                }
            }
        });
        return faults;
    }

    private Stream<Path> with(String... endings) {
        return files.stream().filter(file -> Set.of(endings).contains(ending(file)));
    }

    private boolean isText(Path file) {
        return TEXT.contains(ending(file))
                || SCRIPTS.contains(file.getFileName().toString());
    }

    private static boolean isIn(Path file, String ending) {
        return ending(file).equals(ending);
    }

    private static String ending(Path file) {
        String name = file.getFileName().toString();
        return name.substring(name.lastIndexOf('.') + 1);
    }

    private static String slashed(Path path) {
        return path.toString().replace('\\', '/');
    }

    private List<String> lines(Path file) {
        try {
            return Files.readAllLines(root.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }
}
