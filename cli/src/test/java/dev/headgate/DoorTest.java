package dev.headgate;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.headgate.event.PlantedLeaks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What users may use is exported, small, and names nothing internal. The two rules themselves run in {@link ArchitectureTest}. */
class DoorTest {
    /** Of jobs, gates and workflows 150, and some for what faces read of a store: figures, acts, labels. */
    private static final int TYPES_MAX = 165;

    private static final JavaClasses SHIPPED = new ClassFileImporter()
            .withImportOption(location -> !location.contains("/test-classes/"))
            .importPackages("dev.headgate");

    @Test
    void everyPublishedModuleHasADescriptor() {
        assertThat(DoorRules.EXPORTED.keySet())
                .containsExactlyInAnyOrder(
                        "dev.headgate",
                        "dev.headgate.builtin",
                        "dev.headgate.cli",
                        "dev.headgate.jdbc",
                        "dev.headgate.postgres",
                        "dev.headgate.server",
                        "dev.headgate.sqlite",
                        "dev.headgate.testkit");
    }

    @Test
    void coreHasFewTypesForEverybody() {
        List<String> types = DoorRules.typesOfCore(SHIPPED);
        assertThat(types)
                .as(
                        "core exports %d types to everybody, %d at most: make one package-private or internal",
                        types.size(), TYPES_MAX)
                .hasSizeLessThanOrEqualTo(TYPES_MAX)
                .contains("dev.headgate.Headgate");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Returns",
                "Takes",
                "TakesAtItsMaking",
                "Argues",
                "Bounds",
                "Throws",
                "Holds",
                "Has",
                "Extends",
                "ExtendsOf"
            })
    void everyKindOfLeakIsFound(String kind) {
        assertThat(leaks())
                .anySatisfy(line ->
                        assertThat(line).contains("PlantedLeaks$" + kind).contains(" names dev.headgate."));
    }

    @Test
    void whatUsersCannotNameIsNoLeak() {
        assertThat(leaks()).noneSatisfy(line -> assertThat(line).contains("PlantedLeaks$Hides"));
    }

    private static List<String> leaks() {
        Class<?>[] planted = Stream.concat(
                        Stream.of(PlantedLeaks.class), Stream.of(PlantedLeaks.class.getDeclaredClasses()))
                .toArray(Class<?>[]::new);
        return DoorRules.NO_EXPORTED_SIGNATURE_NAMES_AN_INTERNAL_TYPE
                .evaluate(new ClassFileImporter().importClasses(planted))
                .getFailureReport()
                .getDetails();
    }

    @Test
    void noInternalTypeIsLentInVain() {
        assertThat(DoorRules.LENT.keySet())
                .allSatisfy(name -> assertThat(SHIPPED.contain(name)
                                && SHIPPED.get(name).getDirectDependenciesToSelf().stream()
                                        .anyMatch(use -> use.getOriginClass()
                                                .getPackageName()
                                                .matches("dev\\.headgate\\.(cli|builtin).*")))
                        .as("%s is used by the command or its job types", name)
                        .isTrue());
    }

    @Test
    void noPageAndNoExampleImportsAnInternalType() throws IOException {
        Path root = Path.of("").toAbsolutePath().getParent();
        try (Stream<Path> pages = Files.walk(root.resolve("docs"));
                Stream<Path> examples = Files.walk(root.resolve("examples/src"))) {
            List<Path> files = Stream.concat(Stream.of(root.resolve("README.md")), Stream.concat(pages, examples))
                    .filter(file ->
                            file.toString().endsWith(".md") || file.toString().endsWith(".java"))
                    .toList();
            assertThat(files).hasSizeGreaterThan(50);
            for (Path file : files) {
                assertThat(DoorRules.closedImports(Files.readString(file)))
                        .as(file.toString())
                        .isEmpty();
            }
        }
        assertThat(DoorRules.closedImports(
                        "```java\nimport dev.headgate.job.JobId;\nimport static dev.headgate.spi.Wake.ALL;\n```"))
                .as("planted")
                .containsExactly("import static dev.headgate.spi.Wake.ALL;");
    }
}
