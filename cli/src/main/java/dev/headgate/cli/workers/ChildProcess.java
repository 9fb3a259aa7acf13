package dev.headgate.cli.workers;

import dev.headgate.cli.CommandContext;
import dev.headgate.cli.Main;
import dev.headgate.internal.time.Chance;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Starts this command once more, as a child: the same Java with the same options, classes and arguments, without those
 * that are the parent's own. The child reads its standard input from the parent: first the environment.
 */
public final class ChildProcess {
    /**
     * Also the URLs: they may hold a password, and all users can read the arguments of a process. They are handed over.
     */
    private static final Set<String> OWN = Set.of("--processes", "--name", "--store", "--listen");

    private static final int MARK_LENGTH = 8;

    private final List<String> command;
    private final EnvironmentHandOver handover;

    /**
     * @param arguments as they were given to this process
     * @param shell knows the environment, and the store that the arguments name, if they do
     */
    ChildProcess(List<String> arguments, CommandContext shell) {
        Map<String, String> environment = new HashMap<>(shell.environment());
        put(environment, "HEADGATE_STORE", shell.storeGiven());
        put(environment, "HEADGATE_LISTEN", shell.listenGiven());
        handover = new EnvironmentHandOver(environment, List.of());
        command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // A debugger's port can be used only once.
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> !option.contains("jdwp"))
                .forEach(command::add);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(mainClass());
        command.addAll(inherited(arguments));
    }

    private static void put(Map<String, String> environment, String name, @Nullable String value) {
        if (value != null) {
            environment.put(name, value);
        }
    }

    /** Tells processes apart whose host name, process number and worker name are equal. */
    static String mark() {
        return Chance.SYSTEM.id().substring(0, MARK_LENGTH);
    }

    private static String mainClass() {
        String started = System.getProperty("sun.java.command", "").split(" ", 2)[0];
        boolean isClass = !started.isEmpty() && !started.endsWith(".jar") && !started.contains("/");
        return isClass ? started : Main.class.getName();
    }

    public static List<String> inherited(List<String> arguments) {
        List<String> inherited = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (OWN.contains(argument)) {
                i++; // and its value
            } else if (OWN.stream().noneMatch(own -> argument.startsWith(own + "="))) {
                inherited.add(argument);
            }
        }
        return inherited;
    }

    Process start(String name) throws IOException {
        List<String> whole = new ArrayList<>(command);
        whole.addAll(List.of("--supervised", "--name", name));
        return handover.start(
                new ProcessBuilder(whole).redirectOutput(Redirect.INHERIT).redirectError(Redirect.INHERIT));
    }
}
