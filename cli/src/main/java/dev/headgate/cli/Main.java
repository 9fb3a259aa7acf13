package dev.headgate.cli;

import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** The {@code headgate} command. Without a subcommand it prints its help. */
@Command(
        name = "headgate",
        description = "A durable job queue that knows what may start, when, and how much at once.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class)
public final class Main implements Runnable {
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Main()).execute(arguments));
    }

    @Override
    public void run() {
        CommandLine.usage(this, System.out);
    }

    /** Reads the version from the jar; outside a jar there is none to read. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Main.class.getPackage().getImplementationVersion();
            return new String[] {"headgate " + Objects.requireNonNullElse(version, "(unpackaged)")};
        }
    }
}
