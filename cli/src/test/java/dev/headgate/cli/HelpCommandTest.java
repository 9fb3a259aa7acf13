package dev.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class HelpCommandTest {
    static final Iterable<String> COMMANDS = Commands.NAMES;
    static final Iterable<String> TOPICS = HelpCommand.TOPICS.keySet();

    @TempDir
    Path folder;

    @Test
    void theHelpNamesEveryCommandAndExitCode() {
        for (String[] asked : new String[][] {{}, {"--help"}, {"-h"}, {"help"}}) {
            Prompt.Answer answer = new Prompt(folder).must(asked);
            assertThat(answer.out()).contains("Exit codes:").contains(" 3 ").contains("130, 143");
            Commands.NAMES.forEach(name -> assertThat(answer.out()).contains("\n  " + name));
        }
    }

    @ParameterizedTest
    @FieldSource("COMMANDS")
    void everyCommandHasHelpInWhicheverWayItIsAskedFor(String command) {
        Prompt.Answer help = new Prompt(folder).must("help", command);
        assertThat(help.out())
                .contains("Usage: headgate " + command)
                .contains("--store")
                .contains("--json");
        assertThat(new Prompt(folder).must(command, "--help").out()).isEqualTo(help.out());
    }

    @ParameterizedTest
    @FieldSource("TOPICS")
    void everyTopicIsAPageOfTextThatFitsATerminal(String topic) {
        Prompt.Answer page = new Prompt(folder).must("help", topic);
        assertThat(page.lines()).hasSizeGreaterThan(20);
        assertThat(page.lines()).allMatch(line -> line.length() <= 120);
        assertThat(new Prompt(folder).must("help").out()).contains("  " + topic + " ");
    }

    @Test
    void aCommandOfACommandHasHelpToo() {
        Prompt prompt = new Prompt(folder);
        assertThat(prompt.must("help", "gate", "set").out())
                .contains("Usage: headgate gates set")
                .isEqualTo(prompt.must("gate", "set", "--help").out());
        assertThat(prompt.must("help", "workflow", "start").out()).contains("Usage: headgate workflow start");
        assertThat(prompt.must("help", "queue", "policies").out())
                .isEqualTo(prompt.must("help", "queue-policies").out());
        Prompt.Answer wrong = prompt.run("help", "gate", "sett");
        assertThat(wrong.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(wrong.err()).contains("help: no command 'sett' in 'headgate gates'; did you mean 'set'?");
    }

    @Test
    void theVersionIsTold() {
        assertThat(new Prompt(folder).must("--version").out()).startsWith("headgate ");
    }

    @Test
    void helpLeavesNoStoreBehind() {
        Prompt prompt = new Prompt(folder);
        prompt.must("help");
        prompt.run("status");
        assertThat(folder).isEmptyDirectory();
    }
}
