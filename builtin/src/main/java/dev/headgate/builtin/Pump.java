package dev.headgate.builtin;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Carries a program's input or output while the program runs: a full pipe would stop it. Reading a pipe cannot be
 * interrupted, so each has a thread of its own, which ends with the pipe.
 */
final class Pump {
    private static final int BUFFER_BYTES = 8 * 1024;

    private final Thread thread;

    private interface Carrying {
        void run() throws IOException;
    }

    private Pump(String name, Carrying work) {
        this.thread = Thread.ofPlatform().daemon().name("headgate-pump-" + name).start(() -> {
            try {
                work.run();
            } catch (IOException closed) {
                // The program has ended, or its pipe was closed because it is over.
            }
        });
    }

    static Pump from(String name, InputStream source, Output output) {
        return new Pump(name, () -> {
            try (source) {
                byte[] buffer = new byte[BUFFER_BYTES];
                for (int read = source.read(buffer); read >= 0; read = source.read(buffer)) {
                    output.add(buffer, read);
                }
            } finally {
                output.end();
            }
        });
    }

    static Pump into(OutputStream target, String text) {
        return new Pump("stdin", () -> {
            try (target) {
                target.write(text.getBytes(StandardCharsets.UTF_8));
            }
        });
    }

    /** Waits until all is carried; false if that takes longer. */
    boolean join(Duration patience) throws InterruptedException {
        return thread.join(patience);
    }
}
