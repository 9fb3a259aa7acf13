package dev.headgate.cli.jobs;

import dev.headgate.cli.CommandException;
import dev.headgate.internal.json.JsonCodec;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Text given to an option: itself, or behind {@code @} the name of a file that holds it; {@code @-} is standard input. */
public final class TextOption {
    private final InputStream standardInput;

    public TextOption(InputStream standardInput) {
        this.standardInput = standardInput;
    }

    public String text(String option, String given) {
        if (!given.startsWith("@")) {
            return given;
        }
        String name = given.substring(1);
        try (InputStream in = name.equals("-") ? standardInput : Files.newInputStream(Path.of(name))) {
            byte[] bytes = in.readNBytes(JsonCodec.BYTES_MAX + 1);
            if (bytes.length > JsonCodec.BYTES_MAX) {
                throw CommandException.usage(
                        "%s: expected at most %d bytes in '%s', found more; keep large content elsewhere and pass where it is"
                                .formatted(option, JsonCodec.BYTES_MAX, name));
            }
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException notUtf8) {
            throw CommandException.usage("%s: expected UTF-8 text in '%s', found other bytes".formatted(option, name));
        } catch (IOException | InvalidPathException unreadable) {
            throw CommandException.usage(
                    "%s: expected a file that can be read, found none at '%s'".formatted(option, name));
        }
    }
}
