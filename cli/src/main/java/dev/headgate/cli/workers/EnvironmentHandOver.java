package dev.headgate.cli.workers;

import dev.headgate.builtin.ShellRuns;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An environment that is handed over on standard input. On Linux every process of the same user can read the
 * environment and arguments that a process was started with, for as long as it runs; and a worker's shell jobs are such
 * processes. So {@code bin/hand-over}, which {@code ./headgate work} runs, and a supervisor start a worker with {@link
 * #KEPT} alone and write the whole environment, and the arguments that name the store, to its standard input: each ends
 * with NUL, and a NUL alone ends the variables and then the arguments.
 *
 * @param arguments those that were handed over
 */
public record EnvironmentHandOver(Map<String, String> environment, List<String> arguments) {
    /** Set in the environment of a process that gets the rest of it on standard input. */
    static final String MARK = "HEADGATE_HANDED_OVER";

    /** What a process is started with: what commands get in any case, and what Java and drivers read themselves. */
    static final Set<String> KEPT = Stream.concat(
                    ShellRuns.PASSED.stream(),
                    Stream.of(
                            "JAVA_TOOL_OPTIONS",
                            "JDK_JAVA_OPTIONS",
                            "_JAVA_OPTIONS",
                            "KRB5CCNAME",
                            "KRB5_CONFIG",
                            "LD_LIBRARY_PATH",
                            "LD_PRELOAD",
                            "MALLOC_ARENA_MAX",
                            "PGPASSFILE",
                            "PGSERVICEFILE",
                            "PGSYSCONFDIR"))
            .collect(Collectors.toUnmodifiableSet());

    private static final int BYTES_MAX = 16 * 1024 * 1024;
    private static final Charset CHARSET = Charset.forName(System.getProperty("native.encoding", "UTF-8"));

    /** What was handed over; if nothing was, the environment of this process. */
    public static EnvironmentHandOver received(InputStream in, Map<String, String> own) {
        if (!isMarked(own)) {
            return new EnvironmentHandOver(own, List.of());
        }
        try {
            Map<String, String> environment = new LinkedHashMap<>();
            for (String variable : texts(in)) {
                int equals = variable.indexOf('=', 1);
                if (equals > 0) {
                    environment.put(variable.substring(0, equals), variable.substring(equals + 1));
                }
            }
            return new EnvironmentHandOver(Map.copyOf(environment), texts(in));
        } catch (IOException cut) {
            throw new UncheckedIOException(
                    "%s: expected an environment on standard input, got none; start it with bin/hand-over"
                            .formatted(MARK),
                    cut);
        }
    }

    /** Whether the environment of a process says that it is not the whole. */
    static boolean isMarked(Map<String, String> own) {
        return own.containsKey(MARK);
    }

    private static List<String> texts(InputStream in) throws IOException {
        List<String> texts = new ArrayList<>();
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        for (int total = 0; total < BYTES_MAX; total++) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("it ended too early");
            }
            if (next != 0) {
                text.write(next);
            } else if (text.size() == 0) {
                return texts;
            } else {
                texts.add(text.toString(CHARSET));
                text.reset();
            }
        }
        throw new IOException("it has no end");
    }

    /** All arguments, with those that were handed over. */
    public String[] with(String[] more) {
        return Stream.concat(arguments.stream(), Arrays.stream(more)).toArray(String[]::new);
    }

    /** Starts a program with this environment, which it reads from its standard input. */
    Process start(ProcessBuilder program) throws IOException {
        program.environment().clear();
        environment.forEach((name, value) -> {
            if (KEPT.contains(name.toUpperCase(Locale.ROOT))) {
                program.environment().put(name, value);
            }
        });
        program.environment().put(MARK, "stdin");
        Process process = program.start();
        try {
            OutputStream out = process.getOutputStream();
            out.write(bytes());
            out.flush();
        } catch (IOException ended) {
            // It has ended already, and its exit says why.
        }
        return process;
    }

    private byte[] bytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        environment.forEach((name, value) -> write(name + "=" + value, bytes));
        bytes.write(0);
        arguments.forEach(argument -> write(argument, bytes));
        bytes.write(0);
        return bytes.toByteArray();
    }

    private static void write(String text, ByteArrayOutputStream bytes) {
        bytes.writeBytes(text.getBytes(CHARSET));
        bytes.write(0);
    }
}
