package dev.headgate.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds README and docs to what the code does, and shows that each look finds what it is for. */
class DocsTest {
    private static final Pages CHECKOUT = Pages.ofThisCheckout();

    @TempDir
    static Path commandFolder;

    /** A look, the file that must not escape it, and what it says about it. */
    static Stream<Arguments> looksAndFaults() {
        String migration = "store-sqlite/src/main/resources/migration/0001.sql";
        return Stream.of(
                look("java", Pages::javaThatNoExampleHas, "docs/a.md", fenced("java", "int x;"), "no region"),
                look(
                        "regions",
                        Pages::regionsThatNoPageShows,
                        "examples/src/main/java/A.java",
                        "// docs:begin a\nint x;\n// docs:end\n",
                        "no page shows"),
                look(
                        "commands",
                        DocsTest::commands,
                        "README.md",
                        fenced("", "$ ./headgate emqueue x"),
                        "does not take"),
                look(
                        "commands",
                        DocsTest::commands,
                        "docs/a.md",
                        "Say `./headgate jobs --colour red`.",
                        "does not take"),
                look("commands", DocsTest::commands, "docs/a.md", fenced("", "./headgate job"), "does not take"),
                look("topics", DocsTest::commands, "docs/a.md", "Say `./headgate help lanterns`.", "does not take"),
                look(
                        "imports",
                        Pages::importsThatDiffer,
                        "docs/a.md",
                        fenced("java", "import java.util.List;"),
                        "does not need it"),
                look(
                        "packages",
                        Pages::packagesThatAreMissing,
                        "core/src/main/java/dev/headgate/magic/package-info.java",
                        "package dev.headgate.magic;",
                        "no row"),
                look(
                        "words",
                        Pages::wordsThatDiffer,
                        "core/src/main/java/JobState.java",
                        "enum JobState {\n    DREAMING;\n}",
                        "does not say what 'DREAMING' means"),
                look("words", Pages::wordsThatDiffer, "docs/glossary.md", "| **wand** | magic |", "no page uses"),
                look("files", Pages::filesThatDoNotExist, "docs/a.md", "See `core/src/Wand.java`.", "no such file"),
                look(
                        "methods",
                        Pages::methodsThatDoNotExist,
                        "docs/job-in-code.md",
                        "Then `Wand.wave`.",
                        "no such method"),
                look(
                        "ways",
                        Pages::waysThatAreMiscounted,
                        "docs/job-in-code.md",
                        "| `Wand.wave` | `dev.magic` | waves |\n1 methods in 2 files",
                        "expected '1 methods in 1 files of 1 packages"),
                look("links", Pages::linksThatLeadNowhere, "docs/guides/a.md", "See [b](../b.md).", "nowhere"),
                look("anchors", Pages::linksThatLeadNowhere, "docs/a.md", "# Top\nSee [below](#below).", "nowhere"),
                look("tests", Pages::testsThatDoNotExist, "docs/a.md", "Held by MissingContract.", "no such test"),
                look(
                        "names",
                        Pages::namesThatDoNotExist,
                        "docs/a.md",
                        "Run dev.headgate.magic.Wand.",
                        "no such package"),
                look("types", Pages::typesThatDoNotExist, "docs/a.md", "Call `Hedgate.open`.", "no such type"),
                look(
                        "types",
                        Pages::typesThatDoNotExist,
                        "docs/coming-from/a.md",
                        "| `RateLimit(key)` | `Gait.limit` |",
                        "Gait"),
                look("tables", Pages::schemaThatDiffers, "docs/a.md", "In `headgate_jobs`.", "no migration"),
                look("columns", Pages::schemaThatDiffers, migration, "    rank integer not null,", "`rank`"),
                look("indexes", Pages::schemaThatDiffers, migration, "create index by_rank on t (rank);", "`by_rank`"),
                look(
                        "failure modes",
                        Pages::failureModesWithoutAProof,
                        "docs/reliability.md",
                        failureModes("| **F7** too strict | nothing | hope |"),
                        "F7: expected one row with a test"),
                look(
                        "failure modes",
                        Pages::failureModesWithoutAProof,
                        "docs/reliability.md",
                        failureModes(""),
                        "F7: expected one row with a test such as `LeaseTest.name`, got no row"),
                look(
                        "rights",
                        Pages::rightsThatAreMissing,
                        "store-postgres/src/main/resources/postgres/migration/0009.sql",
                        "create table headgate_rank (",
                        "no page grants"),
                look(
                        "versions",
                        Pages::dependenciesThatDoNotExist,
                        "README.md",
                        fenced("xml", "<groupId>dev.headgate</groupId>\n<version>9</version>"),
                        "is not"),
                look(
                        "modules",
                        Pages::dependenciesThatDoNotExist,
                        "README.md",
                        fenced("xml", "<artifactId>headgate-everything</artifactId>"),
                        "no module"));
    }

    /** All of them well proved, but for one. */
    private static String failureModes(String seventh) {
        return IntStream.rangeClosed(1, 30)
                .mapToObj(mode -> mode == 7 ? seventh : "| **F%d** x | y | `ATest.shows` |".formatted(mode))
                .collect(Collectors.joining("\n"));
    }

    private static Arguments look(
            String name, Function<Pages, List<String>> look, String plantedFile, String plantedText, String says) {
        return Arguments.of(Named.of(name, look), plantedFile, plantedText, says);
    }

    private static String fenced(String language, String text) {
        return "```%s\n%s\n```\n".formatted(language, text);
    }

    private static List<String> commands(Pages pages) {
        return pages.commandsThatAreNotTaken(new HeadgateCommand(commandFolder)::takes);
    }

    static Stream<Named<Function<Pages, List<String>>>> looks() {
        return Stream.of(
                Named.of("java", Pages::javaThatNoExampleHas),
                Named.of("regions", Pages::regionsThatNoPageShows),
                Named.of("commands", DocsTest::commands),
                Named.of("imports", Pages::importsThatDiffer),
                Named.of("packages", Pages::packagesThatAreMissing),
                Named.of("options", Pages::optionsThatDiffer),
                Named.of("words", Pages::wordsThatDiffer),
                Named.of("files", Pages::filesThatDoNotExist),
                Named.of("methods", Pages::methodsThatDoNotExist),
                Named.of("ways", Pages::waysThatAreMiscounted),
                Named.of("links", Pages::linksThatLeadNowhere),
                Named.of("tests", Pages::testsThatDoNotExist),
                Named.of("names", Pages::namesThatDoNotExist),
                Named.of("types", Pages::typesThatDoNotExist),
                Named.of("schema", Pages::schemaThatDiffers),
                Named.of("rights", Pages::rightsThatAreMissing),
                Named.of("states", Pages::edgesThatDiffer),
                Named.of("failure modes", Pages::failureModesWithoutAProof),
                Named.of("dependencies", Pages::dependenciesThatDoNotExist));
    }

    @ParameterizedTest
    @MethodSource("looks")
    void thePagesAreTrue(Function<Pages, List<String>> look) {
        assertThat(look.apply(CHECKOUT)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("looksAndFaults")
    void aPlantedFaultIsFound(
            Function<Pages, List<String>> look, String plantedFile, String plantedText, String says, @TempDir Path root)
            throws IOException {
        Path file = root.resolve(plantedFile);
        Files.createDirectories(file.getParent());
        Files.writeString(file, plantedText);
        assertThat(look.apply(Pages.at(root))).singleElement().asString().contains(says);
    }

    @Test
    void aWrongAndAMissingEdgeAreFound(@TempDir Path root) throws IOException {
        Path page = Files.createDirectories(root.resolve("docs")).resolve("job-lifecycle.md");
        Files.writeString(page, fenced("mermaid", "SUCCEEDED --> QUEUED\nQUEUED --> RUNNING: claimed"));
        assertThat(Pages.at(root).edgesThatDiffer())
                .contains("SUCCEEDED --> QUEUED: not legal", "RUNNING --> SUCCEEDED: not drawn")
                .doesNotContain("QUEUED --> RUNNING: not drawn");
    }

    @Test
    void aWrongAndAMissingOptionAreFound(@TempDir Path root) throws IOException {
        Path page = Files.createDirectories(root.resolve("docs/guides")).resolve("workers-and-shutdown.md");
        Files.writeString(page, "| option | meaning |\n|---|---|\n| `slots` | jobs |\n| `room` | memory |\n");
        assertThat(Pages.at(root).optionsThatDiffer())
                .contains("docs/guides/workers-and-shutdown.md: 'room' is listed, and WorkerBuilder has no such option")
                .contains(
                        "docs/guides/workers-and-shutdown.md: 'headroom' is an option of WorkerBuilder, and not listed")
                .noneMatch(fault -> fault.contains("'slots'"));
    }

    @Test
    void aMemberThatATypeDoesNotHaveIsFound(@TempDir Path root) throws IOException {
        Path sources = Files.createDirectories(root.resolve("core/src/main/java"));
        Files.writeString(sources.resolve("Lane.java"), "record Lane(String queue) {}");
        Files.writeString(root.resolve("README.md"), "Call `Lane.queue()`, not `Lane.colour()`.");
        assertThat(Pages.at(root).typesThatDoNotExist())
                .singleElement()
                .asString()
                .contains("Lane has no colour");
    }

    @Test
    void aMissingImportIsFound(@TempDir Path root) throws IOException {
        Path source = Files.createDirectories(root.resolve("examples/src")).resolve("A.java");
        Files.writeString(source, "import java.util.List;\n\n// docs:begin a\nList<String> x;\n// docs:end\n");
        Files.writeString(root.resolve("README.md"), fenced("java", "List<String> x;"));
        assertThat(Pages.at(root).importsThatDiffer())
                .containsExactly("README.md: 'import java.util.List;' is needed by its Java, and not shown");
    }

    @Test
    void aMethodThatIsOnlyCalledIsNotDeclared(@TempDir Path root) throws IOException {
        Path sources = Files.createDirectories(root.resolve("core/src/main/java"));
        Files.writeString(
                sources.resolve("Lane.java"), "class Lane {\n    int length() {\n        return size();\n    }\n}\n");
        Files.writeString(
                Files.createDirectories(root.resolve("docs")).resolve("job-in-code.md"),
                "First `Lane.length`, then `Lane.size`.");
        assertThat(Pages.at(root).methodsThatDoNotExist())
                .singleElement()
                .asString()
                .contains("Lane.size");
    }

    @Test
    void theFirstExampleFitsOnAScreen() {
        assertThat(CHECKOUT.longestJavaOf("README.md")).isBetween(10, 30);
    }
}
