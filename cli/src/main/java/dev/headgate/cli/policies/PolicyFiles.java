package dev.headgate.cli.policies;

import dev.headgate.cli.CommandException;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.server.policy.PolicyFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.SortedMap;

/** Policy files as a command line names them. */
public final class PolicyFiles {
    private PolicyFiles() {}

    /** Reads a file, or standard input if its name is {@code -}. */
    public static SortedMap<GateKey, GatePolicy> read(String name, InputStream standardInput) throws IOException {
        return PolicyFile.parse(name, text(name, bytes(name, standardInput)));
    }

    private static byte[] bytes(String name, InputStream standardInput) throws IOException {
        byte[] bytes;
        if (name.equals("-")) {
            bytes = standardInput.readNBytes(PolicyFile.BYTES_MAX + 1);
        } else {
            try (InputStream in = Files.newInputStream(Path.of(name))) {
                bytes = in.readNBytes(PolicyFile.BYTES_MAX + 1);
            } catch (InvalidPathException | IOException unreadable) {
                throw CommandException.usage("%s: expected a file that can be read, got %s: %s"
                        .formatted(name, unreadable.getClass().getSimpleName(), unreadable.getMessage()));
            }
        }
        if (bytes.length > PolicyFile.BYTES_MAX) {
            throw CommandException.usage(
                    "%s: expected at most %d bytes, got more; split the file".formatted(name, PolicyFile.BYTES_MAX));
        }
        return bytes;
    }

    private static String text(String name, byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException notText) {
            throw CommandException.usage("%s: expected UTF-8 text, got other bytes".formatted(name));
        }
    }
}
