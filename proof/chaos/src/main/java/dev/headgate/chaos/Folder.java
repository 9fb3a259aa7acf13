package dev.headgate.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where one run keeps its files. */
record Folder(Path root) {
    static Folder fresh(Path root) {
        try {
            Files.createDirectories(root);
            Folder folder = new Folder(root);
            Files.createFile(folder.handlers());
            Files.createFile(folder.client());
            Files.createFile(folder.deaths());
            return folder;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** What handlers did: {@code process,job,epoch,START|END|STOP,n,nanos}. */
    Path handlers() {
        return root.resolve("handlers.csv");
    }

    /** What the client was told: {@code n,ASK|ACK|FAIL|UNKNOWN,job,nanos}. */
    Path client() {
        return root.resolve("client.csv");
    }

    /** When processes had ended: {@code process,exit,nanos}. */
    Path deaths() {
        return root.resolve("deaths.csv");
    }
}
