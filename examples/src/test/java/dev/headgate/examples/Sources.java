package dev.headgate.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The files of a checkout that pages speak of. */
final class Sources {
    private static final Set<String> OUTPUT = Set.of("target", ".build", ".git", ".idea", ".vscode", ".settings");
    private static final Pattern TYPE = Pattern.compile("\\b(?:class|interface|record|enum)\\s+([A-Z]\\w*)");
    private static final Pattern IMPORT = Pattern.compile("import .*\\.(\\w+);");
    private static final Pattern MADE =
            Pattern.compile("create (?:table|sequence|index|unique index) (?:if not exists )?(\\w+)");
    private static final Pattern OWNED = Pattern.compile("create (?:table|sequence) (?:if not exists )?(\\w+)");
    private static final Pattern COLUMN = Pattern.compile("    (\\w+) (?:text|integer|bigint)\\b.*");
    private static final Pattern MODULE = Pattern.compile("</parent>\\s*<artifactId>([^<]+)</artifactId>");
    private static final Pattern VERSION = Pattern.compile("<version>([^<]+)</version>");

    private final Path root;
    private final List<Path> files;

    private Sources(Path root, List<Path> files) {
        this.root = root;
        this.files = files;
    }

    static Sources at(Path root) {
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
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        files.sort(null);
        return new Sources(root, files);
    }

    List<Path> files() {
        return files;
    }

    static String slashed(Path path) {
        return path.toString().replace('\\', '/');
    }

    boolean exists(String path) {
        return Files.exists(root.resolve(path));
    }

    boolean hasFile(String name) {
        return files.stream().anyMatch(file -> file.getFileName().toString().equals(name));
    }

    /** Whether there is such a package, or such a class in a file of its own. */
    boolean hasPackageOrClass(String name) {
        String path = "src/main/java/" + name.replace('.', '/');
        return files.stream()
                .map(Sources::slashed)
                .anyMatch(file -> file.endsWith(path + ".java") || file.contains(path + "/"));
    }

    /** Whether a file of this name says this word. */
    boolean says(String name, String word) {
        return files.stream()
                .filter(file -> file.getFileName().toString().equals(name))
                .anyMatch(file -> Pattern.compile("\\b" + word + "\\b")
                        .matcher(text(file))
                        .find());
    }

    List<String> lines(Path file) {
        return text(file).lines().toList();
    }

    private String text(Path file) {
        try {
            return Files.readString(root.resolve(file));
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot read " + file, failed);
        }
    }

    private List<Path> with(String folder, String ending) {
        return files.stream()
                .filter(file -> slashed(file).contains(folder) && slashed(file).endsWith(ending))
                .toList();
    }

    /** Not those that tests make up. */
    private List<Path> migrations(String folder) {
        return with(folder, ".sql").stream()
                .filter(file -> slashed(file).contains("src/main/"))
                .toList();
    }

    /** What stands between {@code docs:begin name} and {@code docs:end} in the examples, without its indentation. */
    Map<String, String> regions() {
        Map<String, String> regions = new TreeMap<>();
        for (Path file : with("examples/src/", ".java")) {
            List<String> inside = null;
            String name = "";
            for (String line : lines(file)) {
                String stripped = line.strip();
                if (stripped.startsWith("// docs:begin ")) {
                    inside = new ArrayList<>();
                    name = "%s (%s)".formatted(slashed(file), stripped.substring("// docs:begin ".length()));
                } else if (stripped.equals("// docs:end") && inside != null) {
                    regions.put(name, String.join("\n", inside).stripIndent().strip());
                    inside = null;
                } else if (inside != null) {
                    inside.add(line);
                }
            }
        }
        return regions;
    }

    /** The imports that each region needs, by its text. */
    Map<String, Set<String>> importsOfRegions() {
        Map<String, Set<String>> needed = new TreeMap<>();
        regions().forEach((name, text) -> {
            Set<String> own = needed.computeIfAbsent(text, region -> new TreeSet<>());
            for (String line : lines(Path.of(name.substring(0, name.indexOf(' '))))) {
                Matcher imported = IMPORT.matcher(line);
                if (imported.matches()
                        && Pattern.compile("\\b" + imported.group(1) + "\\b")
                                .matcher(text)
                                .find()) {
                    own.add(line);
                }
            }
        });
        return needed;
    }

    /** Whether a file of this name declares a method of this name. */
    boolean declares(String name, String method) {
        Pattern declared =
                Pattern.compile("\\s++(?!return |throw |else )[\\w<>\\[\\], ?.@]*[\\w>\\]] " + method + "\\(.*");
        return files.stream()
                .filter(file -> file.getFileName().toString().equals(name))
                .flatMap(file -> lines(file).stream())
                .anyMatch(line -> declared.matcher(line).matches());
    }

    /** What the pattern's first group finds in files of this name. */
    Set<String> found(String name, Pattern pattern) {
        Set<String> found = new TreeSet<>();
        for (Path file : with("src/main/java/", "/" + name)) {
            pattern.matcher(text(file)).results().forEach(match -> found.add(match.group(1)));
        }
        return found;
    }

    /** The packages of all modules. */
    Set<String> packages() {
        Set<String> packages = new TreeSet<>();
        for (Path file : with("src/main/java/", "package-info.java")) {
            String folder = slashed(file.getParent());
            packages.add(folder.substring(folder.indexOf("src/main/java/") + "src/main/java/".length())
                    .replace('/', '.'));
        }
        return packages;
    }

    /** The names of all types that are declared anywhere. */
    Set<String> types() {
        Set<String> types = new TreeSet<>();
        for (Path file : with("src/", ".java")) {
            TYPE.matcher(text(file)).results().forEach(match -> types.add(match.group(1)));
        }
        return types;
    }

    Set<String> tablesAndIndexes() {
        Set<String> made = new TreeSet<>();
        for (Path file : migrations("/migration/")) {
            MADE.matcher(text(file)).results().forEach(match -> made.add(match.group(1)));
        }
        return made;
    }

    /** Tables and sequences of PostgreSQL: whatever a role needs rights for. */
    Set<String> tablesAndSequencesOfPostgres() {
        Set<String> made = new TreeSet<>();
        for (Path file : migrations("postgres/migration/")) {
            OWNED.matcher(text(file)).results().forEach(match -> made.add(match.group(1)));
        }
        return made;
    }

    Set<String> columns() {
        Set<String> columns = new TreeSet<>();
        for (Path file : migrations("/migration/")) {
            lines(file).stream()
                    .map(COLUMN::matcher)
                    .filter(matcher -> matcher.matches())
                    .forEach(column -> columns.add(column.group(1)));
        }
        return columns;
    }

    /** What the modules of this build are called. */
    Set<String> artifacts() {
        Set<String> artifacts = new TreeSet<>();
        for (Path file : with("", "pom.xml")) {
            MODULE.matcher(text(file)).results().forEach(match -> artifacts.add(match.group(1)));
        }
        return artifacts;
    }

    String version() {
        return exists("pom.xml")
                ? VERSION.matcher(text(Path.of("pom.xml")))
                        .results()
                        .map(match -> match.group(1))
                        .findFirst()
                        .orElse("")
                : "";
    }
}
