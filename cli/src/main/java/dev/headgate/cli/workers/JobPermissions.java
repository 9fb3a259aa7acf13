package dev.headgate.cli.workers;

import dev.headgate.builtin.HeaderVariables;
import dev.headgate.builtin.HostRules;
import dev.headgate.builtin.ShellRuns;
import dev.headgate.builtin.ShellUser;
import dev.headgate.cli.CommandException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What jobs may do outside of the worker: nothing, unless its command line allows it. */
public final class JobPermissions {
    @Option(
            names = "--allow-host",
            paramLabel = "HOST",
            description =
                    "run http jobs, and let them call this host: a name, *.NAME or * for any; give it again for more")
    private List<String> hosts = List.of();

    @Option(
            names = "--allow-network",
            paramLabel = "NETWORK",
            description =
                    "let allowed hosts have addresses of this network although it is not public, such as 10.0.0.0/8")
    private List<String> networks = List.of();

    @Option(
            names = "--http-env",
            paramLabel = "NAME=HOST",
            description =
                    "a variable of this worker's environment that http jobs can send as a header, to this host alone: NAME,"
                            + " *.NAME or an address, by HTTPS; http://HOST for plain HTTP, HOST:PORT for another port. Give it"
                            + " again for more")
    private List<String> httpVariables = List.of();

    @Option(
            names = "--allow-shell",
            description = "run shell jobs: whoever can enqueue can then run any command as this user")
    private boolean isShellAllowed;

    @Option(
            names = "--shell-user",
            paramLabel = "USER",
            description =
                    "run them as another user, which keeps them out of this worker's memory and files; Linux, as root")
    private @Nullable String shellUser;

    @Option(
            names = "--shell-env",
            paramLabel = "NAME",
            description =
                    "a variable of this worker's environment that shell jobs get, besides PATH, HOME and the like;"
                            + " give it again for more")
    private List<String> shellVariables = List.of();

    @Option(names = "--pass-env", hidden = true, description = "until 0.1; it did not say for which type, nor where to")
    private List<String> passed = List.of();

    private Map<String, String> environment = Map.of();
    private @Nullable ShellUser user;

    /**
     * Refuses impossible settings before a worker is made.
     *
     * @param own the environment of the worker
     */
    void check(Map<String, String> own) throws InterruptedException {
        environment = own;
        if (!passed.isEmpty()) {
            throw CommandException.usage(
                    "--pass-env: expected --http-env NAME=HOST for http jobs or --shell-env NAME for shell jobs, got the option that reached both");
        }
        if (hosts.isEmpty() && !networks.isEmpty()) {
            throw CommandException.usage("--allow-network: expected --allow-host HOST beside it, got none");
        }
        if (hosts.isEmpty() && !httpVariables.isEmpty()) {
            throw CommandException.usage("--http-env: expected --allow-host HOST beside it, got none");
        }
        if (!isShellAllowed && !shellVariables.isEmpty()) {
            throw CommandException.usage("--shell-env: expected --allow-shell beside it, got none");
        }
        if (!isShellAllowed && shellUser != null) {
            throw CommandException.usage("--shell-user: expected --allow-shell beside it, got none");
        }
        hosts();
        httpVariables();
        user = shellUser == null ? null : user(shellUser);
    }

    private static ShellUser user(String name) throws InterruptedException {
        try {
            return ShellUser.named(name);
        } catch (IllegalArgumentException unfit) {
            throw CommandException.bad("--shell-user: " + unfit.getMessage());
        }
    }

    HostRules hosts() {
        return HostRules.of(hosts, networks);
    }

    HeaderVariables httpVariables() {
        try {
            return HeaderVariables.of(httpVariables, environment);
        } catch (IllegalArgumentException unfit) {
            throw CommandException.usage("--http-env: " + unfit.getMessage());
        }
    }

    boolean isShellAllowed() {
        return isShellAllowed;
    }

    /** Whether shell jobs run as the user of this process, and can read what this process holds. */
    boolean isShellAtHome() {
        return isShellAllowed && user == null;
    }

    ShellRuns shellRuns() {
        return new ShellRuns(shellVariables, environment, user);
    }
}
