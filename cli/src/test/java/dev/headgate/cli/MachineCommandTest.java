package dev.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.Headgate;
import dev.headgate.machine.Machine;
import dev.headgate.machine.Machine.SentEvent;
import dev.headgate.run.RunId;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Instances of state machines are runs, so the workflow commands know them; a signal to one is an event. */
class MachineCommandTest {
    private static final Machine<String> LAMP = Machine.named("lamp", 1, String.class)
            .state("off", s -> s.on("switch").goTo("on"))
            .state(
                    "on",
                    s -> s.on("switch").goTo("off").on("dim", Integer.class).stay())
            .initial("off")
            .build();

    @TempDir
    Path folder;

    @Test
    void aSignalToAStateMachineIsAnEvent() {
        Prompt prompt = new Prompt(folder);
        try (Headgate headgate = prompt.open()) {
            headgate.machines().register(LAMP);
        }
        prompt.must("workflow", "start", "lamp", "\"kitchen\"");
        prompt.must("workflow", "signal", "1", "switch");
        prompt.must("workflow", "signal", "1", "dim", "30");
        try (Headgate headgate = prompt.open()) {
            assertThat(headgate.machines().pending(RunId.of(1)))
                    .containsExactly(new SentEvent("switch", null, "{}"), new SentEvent("dim", null, "30"));
        }
        assertThat(prompt.run("workflow", "signal", "1", "smash").err())
                .contains(
                        "event 'smash' to instance 1: expected one of the events of machine 'lamp' version 1: [dim, switch]");
    }
}
