package dev.headgate.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The first {@code ./headgate} of a checkout, with a stand-in for Maven. */
@DisabledOnOs(OS.WINDOWS)
class FirstBuildTest {
    /** Says what Maven says, and makes an archive without classes. */
    private static final String MAVEN = """
            #!/bin/sh
            for argument in "$@"; do
                case $argument in -Dheadgate.target=*) target=${argument#*=} && target=${target%/*} ;; esac
            done
            echo '[INFO] Scanning for projects...'
            echo '[INFO] -------------------< dev.headgate:headgate-core >-------------------'
            echo '[INFO] Building Headgate: core 0.1.0-SNAPSHOT                             [1/2]'
            echo '[INFO] Building jar: core.jar'
            echo '[INFO] Building Headgate: cli 0.1.0-SNAPSHOT                              [2/2]'
            if [ -n "${BROKEN:-}" ]; then echo '[ERROR] Main.java:[7,1] oops' && exit 1; fi
            mkdir -p "$target/headgate-cli/lib"
            : >"$target/headgate-cli/headgate-cli-1.jar"
            : >"$target/headgate-cli/lib/other.jar"
            """;

    @TempDir
    Path folder;

    private record Said(int exit, List<String> out, List<String> error) {}

    @BeforeEach
    void layOut() throws IOException {
        Path bin = Files.createDirectories(folder.resolve("checkout").resolve("bin"));
        for (String script : List.of("build.sh", "find-jdk")) {
            program(bin.resolve(script), Files.readString(Path.of("..", "bin", script)));
        }
        program(bin.resolveSibling("headgate"), Files.readString(Path.of("..", "headgate")));
        program(Files.createDirectories(folder.resolve("path")).resolve("mvn"), MAVEN);
    }

    private static void program(Path file, String text) throws IOException {
        Files.writeString(file, text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private Said headgate(String broken) throws IOException, InterruptedException {
        Path out = folder.resolve("out");
        Path error = folder.resolve("error");
        ProcessBuilder command = new ProcessBuilder(
                        folder.resolve("checkout").resolve("headgate").toString(), "status", "--json")
                .redirectOutput(out.toFile())
                .redirectError(error.toFile());
        command.environment().put("PATH", folder.resolve("path") + ":" + System.getenv("PATH"));
        command.environment().put("BROKEN", broken);
        Process process = command.start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Said(process.exitValue(), Files.readAllLines(out), Files.readAllLines(error));
    }

    @Test
    void eachModuleIsNamedAsItIsBuiltAndNothingGetsInTheWayOfTheAnswer() throws Exception {
        Said said = headgate("");
        assertThat(said.error())
                .startsWith(
                        "building, once and again when a source has changed: a minute or two, longer while Maven loads libraries…",
                        "  1/2  core",
                        "  2/2  cli")
                .noneMatch(line -> line.startsWith("[INFO]"));
        assertThat(said.out()).isEmpty();
        assertThat(headgate("").error()).as("once").noneMatch(line -> line.startsWith("building"));
    }

    @Test
    void aBuildThatFailsSaysWhyAndOnlyThat() throws Exception {
        Said said = headgate("yes");
        assertThat(said.exit()).isEqualTo(3);
        assertThat(said.error())
                .contains("[ERROR] Main.java:[7,1] oops")
                .noneMatch(line -> line.startsWith("[INFO]"))
                .last()
                .asString()
                .startsWith("The build failed");
        assertThat(said.out()).isEmpty();
    }
}
