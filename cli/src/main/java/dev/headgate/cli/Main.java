package dev.headgate.cli;

import dev.headgate.cli.workers.BuiltInJobs;
import dev.headgate.cli.workers.EnvironmentHandOver;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Starts the {@code headgate} command. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        EnvironmentHandOver handover = EnvironmentHandOver.received(System.in, System.getenv());
        CommandContext shell = standardShell(handover.environment());
        String[] all = handover.with(arguments);
        shell.sayWhileWorking(all.length > 0 && !all[0].startsWith("-") ? all[0] : "working");
        int exit = new Cli(shell, BuiltInJobs::register).run(all);
        shell.sayNothingMeanwhile();
        System.exit(exit);
    }

    static CommandContext standardShell(Map<String, String> environment) {
        return new CommandContext(writer(System.out), writer(System.err), System.in, environment, new ProcessSignals());
    }

    /** The C locale says ASCII, but it means that no locale is set; like other tools the command then writes UTF-8. */
    private static PrintWriter writer(PrintStream stream) {
        Charset charset =
                stream.charset().equals(StandardCharsets.US_ASCII) ? StandardCharsets.UTF_8 : stream.charset();
        OutputStream bytes = stream;
        return new PrintWriter(bytes, false, charset);
    }
}
