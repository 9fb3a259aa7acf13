package dev.headgate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Looks through this checkout for untidy files and commits, and shows that each look finds what it is for. */
class TidyTest {
    private static final SourceTree CHECKOUT = SourceTree.ofThisCheckout();

    /** A look, and the file that must not escape it. */
    static Stream<Arguments> looksAndFaults() {
        String statement = "/src/main/resources/dev/headgate/%s/statement/claim.sql";
        return Stream.of(
                look("long files", SourceTree::longFiles, "core/src/main/java/a/Long.java", "//\n".repeat(451)),
                look("marks", SourceTree::unfinishedMarks, "core/src/main/java/a/A.java", "// TO" + "DO: later"),
                look("marks", SourceTree::unfinishedMarks, "check", "# FIX" + "ME"),
                look("machine paths", SourceTree::machinePaths, "docs/build.md", "cd /ro" + "ot/headgate"),
                look("sleeps", SourceTree::sleepsInTests, "core/src/test/java/a/ATest.java", "Thread.sl" + "eep(5);"),
                look(
                        "persons",
                        SourceTree::thingsAsPersons,
                        "core/src/main/java/a/A.java",
                        "/** Locked by some" + "body. */"),
                look("packages", SourceTree::packagesWithoutWords, "core/src/main/java/a/A.java", "class A {}"),
                otherRank(
                        "n.id - priority * 1048577 - case when front & 1 = 1 then 262145 + 2 * (n.id % 262144) else 0 end"),
                otherRank(
                        "n.id - priority * 1048576 - case when front & 1 = 1 then 262145 + 2 * (j.id % 262144) else 0 end"),
                otherRank("n.id - priority * 1048576"),
                otherRank("case when epoch = 0 and front < 3 then 1 end"),
                otherRank("case when h.epoch = 0 and j.front < 2 then 1 end"),
                look("statements", SourceTree::unpairedStatements, "store-sqlite" + statement.formatted("sqlite"), ""),
                look(
                        "statements",
                        SourceTree::unpairedStatements,
                        "store-postgres" + statement.formatted("postgres"),
                        ""));
    }

    private static Arguments otherRank(String expression) {
        return look("ranks", SourceTree::otherRanks, "store/src/main/resources/statement/rank.sql", expression);
    }

    private static Arguments look(
            String name, Function<SourceTree, List<String>> look, String plantedFile, String plantedText) {
        return Arguments.of(Named.of(name, look), plantedFile, plantedText);
    }

    @ParameterizedTest
    @MethodSource("looksAndFaults")
    void theCheckoutIsTidy(Function<SourceTree, List<String>> look) {
        assertThat(look.apply(CHECKOUT)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("looksAndFaults")
    void aPlantedFaultIsFound(
            Function<SourceTree, List<String>> look, String plantedFile, String plantedText, @TempDir Path root)
            throws IOException {
        Path file = root.resolve(plantedFile);
        Files.createDirectories(file.getParent());
        Files.writeString(file, plantedText);
        assertThat(look.apply(SourceTree.at(root))).hasSize(1);
    }

    @Test
    void newCommitsHaveGoodSubjects() throws IOException, InterruptedException {
        assertThat(CommitSubjects.faults(CommitSubjects.ofThisCheckout())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "core: say in one sentence what each type of the API is for, and where to begin reading",
                "add a limit kind",
                "Add a limit kind.",
                "WIP limits",
                "core: fix tests",
                "Added a limit kind",
                "docs: adds a page"
            })
    void aBadSubjectIsFound(String subject) {
        assertThat(CommitSubjects.faults(List.of("1234abcd " + subject))).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Fix the race of two reapings", "core, jdbc: read rows once", "Use less", "Move lanes to shares"
            })
    void aGoodSubjectIsNot(String subject) {
        assertThat(CommitSubjects.faults(List.of("1234abcd " + subject))).isEmpty();
    }
}
