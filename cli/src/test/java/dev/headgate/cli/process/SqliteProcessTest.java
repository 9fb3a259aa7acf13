package dev.headgate.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.cli.RecordingMain;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteJDBCLoader;

class SqliteProcessTest implements ProcessContract, ServeProcessContract {
    @TempDir
    Path store;

    @Override
    public String freshStore() {
        return "jdbc:sqlite:" + store.resolve("jobs.db");
    }

    /** Another process deletes the same old library at the same time; a folder with something in it cannot be deleted either. */
    @Test
    void anOldLibraryThatCannotBeDeletedIsNotTold() throws Exception {
        Path temporary = Files.createDirectory(store.resolve("tmp"));
        Path old = temporary.resolve("sqlite-%s-old-libsqlitejdbc.so".formatted(SQLiteJDBCLoader.getVersion()));
        Files.createFile(Files.createDirectory(old).resolve("something"));
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-Djava.io.tmpdir=" + temporary,
                        "-cp",
                        System.getProperty("java.class.path"),
                        RecordingMain.class.getName(),
                        "enqueue",
                        "noop",
                        "--store",
                        freshStore()))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        String said = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said.lines()).singleElement().asString().contains("created the store");
    }
}
