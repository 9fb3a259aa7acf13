package dev.headgate.examples;

import dev.headgate.cli.Cli;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.Signals;
import dev.headgate.cli.workers.BuiltInJobs;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs commands that pages show, on a store of their own. */
final class HeadgateCommand {
    private static final int WRONG_USAGE = 2;

    /** Whatever runs until it is stopped is stopped when it has begun. */
    private static final Signals AT_ONCE = reaction -> reaction.accept(143);

    private final String store;
    private final Path jobs;
    private final Path limits;
    private final Path certificate;
    private final Path newCertificate;

    /** @param folder where its store is made; nothing outside of it is touched */
    HeadgateCommand(Path folder) {
        this.store = "jdbc:sqlite:" + folder.resolve("docs.db");
        this.jobs = folder.resolve("docs.jsonl");
        this.limits = folder.resolve("limits.yaml");
        this.certificate = folder.resolve("certificate.json");
        this.newCertificate = folder.resolve("new-certificate.json");
        write(certificate, "{\"form\":\"headgate certificate 1\",\"gates\":[]}");
        write(limits, "gates: { api: { limits: [concurrency 3] } }");
        write(jobs, "{\"type\":\"noop\"}\n".repeat(20_000));
        run(List.of("enqueue", "noop"));
    }

    /** Whether the command takes these words; what it answers does not matter, such as that there is no job 4711. */
    boolean takes(List<String> words) {
        List<String> asked = new ArrayList<>(words);
        replaceValue(asked, "--store", store);
        if (words.contains("verify-history")) {
            replaceValue(asked, "--since", certificate.toString());
        }
        replaceValue(asked, "--certificate", newCertificate.toString());
        if (words.contains("enqueue")) {
            replaceValue(asked, "--from", jobs.toString());
        }
        asked.replaceAll(word -> word.equals("limits.yaml") ? limits.toString() : word);
        if (words.indexOf("demo") == 0 || words.indexOf("client-check") == 0) {
            asked.add(1, "--help"); // it takes a while, and has tests of its own
        }
        return run(asked) != WRONG_USAGE;
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a page names is not there; something of the same kind is. */
    private static void replaceValue(List<String> words, String option, String value) {
        int named = words.indexOf(option);
        if (named >= 0) {
            words.set(named + 1, value);
        }
    }

    private int run(List<String> words) {
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        Map<String, String> environment = Map.of("HEADGATE_STORE", store);
        CommandContext shell =
                new CommandContext(nowhere, nowhere, InputStream.nullInputStream(), environment, AT_ONCE);
        return new Cli(shell, BuiltInJobs::register).run(words.toArray(String[]::new));
    }
}
