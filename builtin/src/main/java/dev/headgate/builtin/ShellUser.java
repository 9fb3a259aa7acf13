package dev.headgate.builtin;

import dev.headgate.handler.PermanentFailure;
import dev.headgate.internal.text.Text;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Another user of this machine, for commands to run as. The kernel keeps that user out of the memory and the
 * environment of this process and out of its files. Linux only: {@code setpriv} of util-linux becomes the user, which
 * root may do, or a process with the capabilities SETUID and SETGID. A command has no capabilities and cannot gain any,
 * and no terminal.
 */
public final class ShellUser {
    /** Variables that belong to a user. */
    static final Set<String> OWN = Set.of("HOME", "USER", "LOGNAME", "SHELL");

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}");
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final String CARRIER = "HEADGATE_GIVEN_";
    private static final int SHOWN_LENGTH = 40;
    private static final int HOME_FIELD = 5;
    private static final int SHELL_FIELD = 6;

    private final List<String> prefix;
    private final Map<String, String> variables;

    private ShellUser(List<String> prefix, Map<String, String> variables) {
        this.prefix = prefix;
        this.variables = variables;
    }

    /**
     * Looks the user up, and tries to become it.
     *
     * @throws IllegalArgumentException if there is no such user, it is root or the user of this process, or this process
     *     may not become it
     */
    public static ShellUser named(String name) throws InterruptedException {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("user: expected the name of a user, got something else");
        }
        String id = output("id", "-u", name);
        if (id.equals("0") || id.equals(output("id", "-u"))) {
            throw new IllegalArgumentException(
                    "user '%s': expected neither root nor the user of the worker itself".formatted(name));
        }
        List<String> prefix = List.of(
                // Without the worker's terminal, which it could type into.
                "setsid",
                "setpriv",
                "--reuid=" + id,
                "--regid=" + output("id", "-g", name),
                "--init-groups",
                "--inh-caps=-all",
                "--no-new-privs",
                "--");
        List<String> check = new ArrayList<>(prefix);
        check.addAll(List.of("id", "-u"));
        if (!output(check.toArray(String[]::new)).equals(id)) {
            throw new IllegalArgumentException("user '%s': expected to become it, did not".formatted(name));
        }
        Map<String, String> variables = new HashMap<>(Map.of("USER", name, "LOGNAME", name));
        String[] entry = output("getent", "passwd", name).split(":", -1);
        if (entry.length > SHELL_FIELD) {
            variables.put("HOME", entry[HOME_FIELD]);
            variables.put("SHELL", entry[SHELL_FIELD]);
        }
        return new ShellUser(prefix, Map.copyOf(variables));
    }

    private static String output(String... words) throws InterruptedException {
        try {
            Process process =
                    new ProcessBuilder(words).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalArgumentException("user: expected to become it by setpriv, got: " + said.strip());
            }
            return said.strip();
        } catch (IOException missing) {
            throw new IllegalArgumentException(
                    "user: expected Linux with setpriv of util-linux, got: " + missing.getMessage(), missing);
        }
    }

    /**
     * The words that run a command as this user. A shell that runs as this user already takes the job's variables out of
     * {@link #carried}.
     *
     * @param given the names of the variables that the job sets
     * @throws PermanentFailure if a shell cannot have such a variable
     */
    List<String> running(List<String> words, Collection<String> given) {
        List<String> whole = new ArrayList<>(prefix);
        if (!given.isEmpty()) {
            StringBuilder script = new StringBuilder();
            for (String name : given) {
                if (!VARIABLE.matcher(name).matches()) {
                    throw new PermanentFailure(
                            "env: expected names of letters, digits and _ because this worker runs commands as another user, got '%s'"
                                    .formatted(Text.visible(Text.storable(name, SHOWN_LENGTH))));
                }
                script.append("export %s=\"$%s%s\"; unset %s%s; ".formatted(name, CARRIER, name, CARRIER, name));
            }
            whole.addAll(List.of("sh", "-c", script.append("exec \"$@\"").toString(), "sh"));
        }
        whole.addAll(words);
        return whole;
    }

    /**
     * The variables that a job sets, under names that mean nothing to any program: setpriv still runs with all rights of the
     * worker, and LD_PRELOAD would load the job's code into it.
     */
    static Map<String, String> carried(Map<String, String> given) {
        Map<String, String> carried = new HashMap<>();
        given.forEach((name, value) -> carried.put(CARRIER + name, value));
        return carried;
    }

    /** Its own values of {@link #OWN}. */
    Map<String, String> variables() {
        return variables;
    }
}
