package dev.headgate.cli.policies;

import dev.headgate.cli.CommandException;
import dev.headgate.evidence.ChainProof;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.limit.GateKey;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What {@code verify-history} has proved, as a file that is kept elsewhere than the store. */
final class CertificateFile {
    private static final String FORM = "headgate certificate 1";
    private static final String HASH = "[0-9a-f]{64}";

    private CertificateFile() {}

    /**
     * What a certificate says.
     *
     * @param at when it was made, in store time
     * @param ends the last row that it proves, of each gate
     */
    record Content(String at, Map<GateKey, ChainProof.End> ends) {}

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
                    JsonWriter.object().put("form", FORM).putAll(content) + System.lineSeparator(),
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.WRITE);
        } catch (FileAlreadyExistsException meanwhile) {
            throw there(file);
        }
    }

    static Content read(Path file) throws IOException {
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
        JsonNode root = JsonWriter.read(text);
        if (root == null || !root.path("form").asString("").equals(FORM)) {
            throw notOurs(file);
        }
        Map<GateKey, ChainProof.End> ends = new TreeMap<>();
        for (JsonNode gate : root.path("gates")) {
            GateKey key = key(gate);
            long row = gate.path("chain").path("lastRow").asLong(-1);
            String hash = gate.path("chain").path("head").asString("");
            if (key == null || row < 0 || !(row == 0 ? hash.isEmpty() : hash.matches(HASH))) {
                throw notOurs(file);
            }
            ends.put(key, new ChainProof.End(row, hash));
        }
        return new Content(root.path("at").asString(""), ends);
    }

    private static @Nullable GateKey key(JsonNode gate) {
        String name = gate.path("name").asString("");
        return switch (gate.path("kind").asString("")) {
            case "gate" -> name.isEmpty() ? null : GateKey.gate(name);
            case "queue" -> name.isEmpty() ? null : GateKey.queue(name);
            default -> null;
        };
    }

    private static CommandException notOurs(Path file) {
        return CommandException.usage(
                "--since: expected a file that 'verify-history --certificate' has written, and '%s' is none"
                        .formatted(file));
    }
}
