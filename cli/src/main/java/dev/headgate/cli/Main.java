package dev.headgate.cli;

import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** Starts the {@code headgate} command. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        System.exit(new Cli(standardShell(), BuiltInJobs::register).run(arguments));
    }

    static Shell standardShell() {
        return new Shell(writer(System.out), writer(System.err), System.in, System.getenv(), new ProcessSignals());
    }

    /** The C locale says ASCII and means "nobody set a locale"; like other tools we then write UTF-8. */
    private static PrintWriter writer(PrintStream stream) {
        Charset charset =
                stream.charset().equals(StandardCharsets.US_ASCII) ? StandardCharsets.UTF_8 : stream.charset();
        OutputStream bytes = stream;
        return new PrintWriter(bytes, false, charset);
    }
}
