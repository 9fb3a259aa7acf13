package dev.headgate.cli;

import dev.headgate.builtin.HostRules;
import java.util.List;
import picocli.CommandLine.Option;

/** What jobs may do to the world outside of a worker. Nothing, unless its command line says so. */
public final class Permissions {
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
            names = "--allow-shell",
            description = "run shell jobs: whoever can enqueue can then run any command as this user")
    private boolean isShellAllowed;

    @Option(
            names = "--pass-env",
            paramLabel = "NAME",
            description =
                    "a variable of this worker's environment that shell jobs get, besides PATH, HOME and the like, and http"
                            + " jobs can send as a header")
    private List<String> variables = List.of();

    /** Complains of what cannot be, before a worker is made. */
    void check() {
        if (hosts.isEmpty() && !networks.isEmpty()) {
            throw Complaint.usage("--allow-network: expected --allow-host HOST beside it, got none");
        }
        if (!isShellAllowed && hosts.isEmpty() && !variables.isEmpty()) {
            throw Complaint.usage("--pass-env: expected --allow-shell or --allow-host beside it, got none");
        }
        hosts();
    }

    HostRules hosts() {
        return HostRules.of(hosts, networks);
    }

    boolean isShellAllowed() {
        return isShellAllowed;
    }

    List<String> variables() {
        return variables;
    }
}
