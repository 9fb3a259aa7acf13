package dev.headgate.cli.policies;

import dev.headgate.cli.CommandException;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.server.api.CertificateJson;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** What {@code verify-history} has proved, as a file that is kept elsewhere than the store. */
final class CertificateFile {
    private CertificateFile() {}

    /** Refuses before anything is looked at: a certificate that is there already may be the only one of its time. */
    static void refuseWhatIsThere(Path file) {
        if (Files.exists(file)) {
            throw there(file);
        }
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw CommandException.usage(
                    "--certificate: expected a file in a folder that is there, got '%s'".formatted(file));
        }
    }

    private static CommandException there(Path file) {
        return CommandException.usage(
                "--certificate: expected the name of a new file, and '%s' is there; a certificate is never written over"
                        .formatted(file));
    }

    static void write(Path file, JsonWriter content) throws IOException {
        try {
            Files.writeString(
                    file,
                    CertificateJson.of(content) + System.lineSeparator(),
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.WRITE);
        } catch (FileAlreadyExistsException meanwhile) {
            throw there(file);
        }
    }

    static CertificateJson.Content read(Path file) throws IOException {
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            throw CommandException.usage(
                    "--since: expected a certificate, found no file that can be read at '%s'".formatted(file));
        }
        String text;
        try {
            text = Files.readString(file);
        } catch (CharacterCodingException notUtf8) {
            throw notOurs(file);
        }
        return CertificateJson.read(text).orElseThrow(() -> notOurs(file));
    }

    private static CommandException notOurs(Path file) {
        return CommandException.usage(
                "--since: expected a file that 'verify-history --certificate' has written, and '%s' is none"
                        .formatted(file));
    }
}
