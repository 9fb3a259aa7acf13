package dev.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a real bash completes with the script that {@code headgate completion} prints. */
@DisabledOnOs(OS.WINDOWS)
class CompletionCommandTest {
    /** Does what bash does when the tabulator key is pressed behind the last of the words it is given. */
    private static final String PRESS = """
            compopt() { :; } # bash has it only while a key is pressed
            source "./$1"; shift
            COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE} COMPREPLY=()
            read -r -a registered <<<"$(complete -p headgate)"
            for ((i = 0; i < ${#registered[@]}; i++)); do [ "${registered[i]}" != -F ] || "${registered[i + 1]}" headgate "${@: -1}" ''
            done
            printf '%s\\n' "${COMPREPLY[@]}"
            """;

    @TempDir
    static Path folder;

    @BeforeAll
    static void store() throws IOException {
        Files.writeString(
                folder.resolve("script"),
                new Prompt(folder).must("completion", "bash").out());
        Files.writeString(folder.resolve("limits.yaml"), "");
    }

    private static List<String> completed(String line) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("bash", "--norc", "-c", PRESS, "bash", "script"));
        command.addAll(List.of(line.split(" ", -1)));
        Process bash = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bash.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return said.lines().map(String::strip).filter(word -> !word.isEmpty()).toList();
    }

    @Test
    void everyCommandIsOffered() throws Exception {
        assertThat(completed("headgate ")).containsAll(Commands.NAMES).contains("gate", "queue");
    }

    @ParameterizedTest
    @CsvSource({
        "headgate exp, explain",
        "headgate gate sh, show",
        "headgate gates rel, release",
        "headgate workflow top, top-up",
        "headgate schedule n, next",
        "headgate jobs --st, --started --state --store",
        "headgate jobs --state fa, failed",
        "headgate --json jobs --state par, parked",
        "headgate job --fo, --follow",
        "headgate enqueue --unmet ig, ignore",
        "headgate pause ga, gate",
        "headgate policy set ty, type",
        "headgate policy remove qu, queue",
        "headgate work --serve str, strict",
        "headgate completion z, zsh",
        "headgate help runt, runtime-model",
        "headgate policy apply lim, limits.yaml",
        "headgate enqueue --from lim, limits.yaml",
        "headgate verify-history --since lim, limits.yaml",
        "./headgate exp, explain"
    })
    void whatBeginsLikeThisIsOffered(String line, String words) throws Exception {
        assertThat(completed(line)).containsExactlyInAnyOrder(words.split(" ", -1));
    }

    @Test
    void theSameScriptIsForZshAndOtherShellsAreRefused() {
        Prompt prompt = new Prompt(folder);
        assertThat(prompt.must("completion", "zsh").out())
                .isEqualTo(prompt.must("completion", "bash").out())
                .contains("bashcompinit");
        Prompt.Answer answer = prompt.run("completion", "zhs");
        assertThat(answer.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(answer.err()).contains("expected bash or zsh, got 'zhs'; did you mean 'zsh'?");
        assertThat(answer.out()).isEmpty();
    }

    @Test
    void whatIsForOurOwnProcessesIsNotOffered() throws Exception {
        assertThat(completed("headgate work --sup")).isEmpty();
    }
}
